import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { finished, type Finished } from "../cli/croft.fixture.ts";
import { TestFarm } from "./farm.fixture.ts";

/** A farm whose commands come through something that counts what they ask. */
async function counted(machines: string): Promise<{
  readonly farm: TestFarm;
  readonly asked: string[];
  readonly croft: (...words: string[]) => Promise<Finished>;
}> {
  const farm = new TestFarm((folder) => {
    const file = join(folder, "farm.yaml");
    writeFileSync(file, `pools: [{ name: one, engine: simulated, machines: [${machines}] }]`);
    return ["--farm", file];
  });
  await farm.serve();
  const asked: string[] = [];
  const server = createServer((from, to) => {
    asked.push(`${from.method} ${from.url}`);
    const { method, url: path, headers } = from;
    const onward = request({ socketPath: farm.socket, method, path, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    });
    from.pipe(onward);
  });
  const socket = join(farm.folder, "counting");
  await once(server.listen(socket), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const croft = (...words: string[]): Promise<Finished> => {
    asked.length = 0;
    return finished(farm.begin(`croft ${words.join(" ")}`, { CROFT_SOCKET: socket }));
  };
  return { farm, asked, croft };
}

it("does what is asked of many jobs and machines by one request", async () => {
  const { farm, asked, croft } = await counted("20x4c8g");
  await farm.croft("submit", "--hold", "--array", "1-3", "--", "true");
  await farm.croft("submit", "--hold", "--name", "four", "--", "true");

  expect(await croft("change", "1-4", "--priority", "20")).toMatchObject({ status: 0, stderr: "" });
  expect(asked).toEqual(["POST /v1/job-lists/change"]);
  expect(await farm.client.get("/v1/jobs/4")).toMatchObject({ priority: 20 });

  await farm.croft("cancel", "1-4");
  expect(await croft("rerun", "4", "1-3")).toMatchObject({ status: 0, stdout: "5\n6\n7\n8\n" });
  expect(asked).toEqual(["POST /v1/job-lists/rerun"]);
  expect(await farm.client.get("/v1/jobs/5")).toMatchObject({ name: "four" });
  // Those of an array are one again.
  expect(await farm.client.get("/v1/jobs/8")).toMatchObject({ array: { first: 6, index: 3 } });

  expect(await croft("drain", "one", "--reason", "moving")).toMatchObject({ status: 0 });
  expect(asked).toEqual(["POST /v1/machine-lists/drain"]);
  const states = async (): Promise<Set<string>> =>
    new Set((await farm.client.get<{ state: string }[]>("/v1/machines")).map(({ state }) => state));
  expect(await states()).toEqual(new Set(["drained"]));
  expect(await farm.croft("undrain", "one/one-1")).toMatchObject({ status: 0 });
  expect(await croft("undrain", "one")).toMatchObject({ status: 0 });
  expect(asked).toEqual(["POST /v1/machine-lists/undrain"]);
  expect(await states()).toEqual(new Set(["up"]));
  expect(await farm.croft("undrain", "one/one-1")).toMatchObject({
    status: 112,
    stderr: expect.stringContaining("is not drained") as string,
  });
});

it("submits again without its deadline what could not keep it any more, and says so", async () => {
  const { farm, croft } = await counted("1x4c8g");
  await farm.croft("pause");
  await farm.croft("submit", "--deadline", "+1s", "--", "true");
  await farm.croft("submit", "--deadline", "+2h", "--hold", "--", "true");
  await farm.croft("wait", "1");
  await farm.croft("cancel", "2");
  const told =
    "croft: one has no deadline: that of the job before cannot be kept any more (croft change --deadline gives another)\n";
  expect(await croft("rerun", "1", "2")).toMatchObject({ status: 0, stdout: "3\n4\n", stderr: told });
  expect(await farm.client.get("/v1/jobs/3")).toMatchObject({ deadlineAt: null });
  expect(await farm.client.get("/v1/jobs/4")).toMatchObject({ deadlineAt: expect.any(String) as string });
  expect(await croft("rerun", "--state", "cancelled", "--yes")).toMatchObject({
    status: 0,
    stderr: expect.stringContaining("0 jobs, without 2") as string,
  });
  expect(await farm.client.send("POST", "/v1/jobs/1/rerun")).toMatchObject({ state: "waiting" });
});

it("leaves the others as they are where one is refused, and says which", async () => {
  const { farm, croft } = await counted("1x4c8g");
  await farm.croft("submit", "--hold", "--", "true");
  await farm.croft("submit", "--hold", "--time", "10m", "--", "true");
  expect(await croft("change", "1-3", "--priority", "20")).toMatchObject({
    status: 111,
    stderr: "croft: there is no job 3\n",
  });
  expect(await farm.client.get("/v1/jobs/2")).toMatchObject({ priority: 20 });
  await farm.croft("cancel", "1-2");
  expect(await croft("change", "1-2", "--priority", "30")).toMatchObject({ status: 112 });
  expect(await croft("rerun", "3", "1-2")).toMatchObject({
    status: 111,
    stdout: "3\n4\n",
    stderr: "croft: there is no job 3\n",
  });
});
