import { describe, expect, it } from "vitest";

import { storedFarm } from "./stored-farm.ts";

/** As versions before this check stored it. */
const farm = {
  seed: 1,
  transferSeconds: [[0]],
  pools: [
    {
      name: "local",
      site: 0,
      policy: "first-fit",
      maxJobsList: [],
      intervalSeconds: 0,
      reserving: null,
      shares: null,
      suspend: "full",
      machines: [
        {
          name: "here",
          coresMilli: 4000,
          memoryMiB: 8000,
          gpuMilli: 0,
          speed: 1,
          owner: null,
          attributes: { os: "linux" },
        },
      ],
    },
  ],
  virtualPools: [{ name: "default", site: 0, pools: [0], routing: "round-robin", viewAgeSeconds: 0 }],
  victim: null,
  strategy: "NoRes",
  waitThresholdSeconds: 1800,
  checkSeconds: 60,
  maxRestarts: null,
  restartPools: null,
};

describe("a stored farm", () => {
  it("comes back as it is", () => {
    expect(storedFarm(JSON.stringify(farm))).toEqual(farm);
  });

  it.each([
    ["{", /JSON/],
    ["[]", /settings: the farm must be object/],
    [JSON.stringify({ ...farm, seed: "x" }), /\/seed must be number/],
    [JSON.stringify({ ...farm, pools: [{ ...farm.pools[0], machines: undefined }] }), /\/pools\/0 must have/],
  ])("is refused in words: %s", (text, message) => {
    expect(() => storedFarm(text)).toThrow(message);
  });
});
