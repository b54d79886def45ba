import { expect, it } from "vitest";

import type { SharesView } from "../simulation/index.ts";
import { sharesText } from "./shares-text.ts";

const aProject = { due: 0.25, usedHours: 0, usedPart: 0, coresRunning: 0, running: 0, waiting: 0 };
const view: SharesView = {
  pool: "one",
  fairShare: "usage",
  halfLifeSeconds: 604_800,
  of: "cores",
  projects: [
    { ...aProject, project: "" },
    { ...aProject, project: "/a", due: 0.75, usedHours: 412.4, usedPart: 1, coresRunning: 8, running: 3 },
  ],
};

it("lists the projects of each pool, with what they have used where that counts", () => {
  expect(sharesText([view]).split("\n")).toEqual([
    "one: by what was used of cores, half of which counts after 7.00 d",
    "project        due   used  core-hours  cores running  running  waiting",
    "(no project)  25 %    0 %           0              0        0        0",
    "/a            75 %  100 %         412              8        3        0",
  ]);
  const running: SharesView = { ...view, fairShare: "running", halfLifeSeconds: null, of: null };
  expect(sharesText([running, { ...view, of: "memory" }])).toMatch(
    /^one: by the cores in use\nproject +due +cores running .*\n[^]*\n\none: .* of memory, .*\n.*GiB-hours/,
  );
  expect(sharesText([])).toBe("no pool has shares");
});
