import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { TestFarm } from "./farm.fixture.ts";

interface Told {
  readonly id: number;
  readonly attempt: number;
  readonly event: string;
  readonly farm: string;
  readonly job: Readonly<Record<string, unknown>>;
}

it("tells channels what was asked, through a kill -9 of the service, and says so where it tells again", async () => {
  const told: Told[] = [];
  let answer = (): Promise<number> => Promise.resolve(200);
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      told.push(JSON.parse(body) as Told);
      void answer().then((status) => response.writeHead(status).end());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  let mail = "";
  const farm = new TestFarm((folder) => {
    mail = join(folder, "mail");
    const program = join(folder, "send");
    writeFileSync(program, `#!/bin/sh\ncat > ${mail}.part && mv ${mail}.part ${mail}\n`);
    chmodSync(program, 0o755);
    const notify = { ops: { webhook: `http://127.0.0.1:${port}/` }, mail: { command: [program] } };
    writeFileSync(
      join(folder, "farm.json"),
      JSON.stringify({
        name: "lab",
        pools: [{ name: "one", machines: ["1x4c8g"], engine: { kind: "simulated" } }],
        notify,
      }),
    );
    return ["--farm", "farm.json"];
  });
  await farm.serve();
  const submit = (...args: string[]) =>
    farm.croft("submit", "--env", "CROFT_SIMULATED_SECONDS=0", ...args, "--", "pretend");

  // One who asks for nothing is not told of; a channel that is not there is refused, and so is a wrong moment.
  expect((await submit()).status).toBe(0);
  const unknown = await submit("--notify", "nobody");
  expect(unknown.stderr).toContain('there is no channel "nobody": there are ops, mail');
  expect((await submit("--notify", "ops:begin")).stderr).toContain("start, end, fail");
  expect((await submit("--notify", "ops", "--notify", "ops:fail")).stderr).toContain("Give ops once");

  await submit("--name", "night run", "--notify", "ops:start,end", "--notify", "mail");
  await farm.client.get("/v1/jobs/2?wait=60");
  while (told.length < 2) await new Promise((resolve) => setImmediate(resolve));
  expect(new Set(told.map(({ event, attempt }) => `${event} ${attempt}`))).toEqual(
    new Set(["started 1", "ended 1"]),
  );
  expect(told.find(({ event }) => event === "ended")).toMatchObject({
    farm: "lab",
    job: { number: 2, name: "night run", state: "ended" },
  });
  while (!existsSync(mail)) await new Promise((resolve) => setImmediate(resolve));
  expect(JSON.parse(readFileSync(mail, "utf8"))).toMatchObject({
    event: "ended",
    attempt: 1,
    job: { number: 2 },
  });
  expect((await farm.croft("job", "2")).stdout).toMatch(/notifies +ops: start, end\n *notifies +mail: end/);

  // The service dies while it tells.
  told.length = 0;
  answer = async () => {
    answer = () => Promise.resolve(200);
    await farm.kill("SIGKILL");
    return 200;
  };
  await submit("--notify", "ops");
  while (told.length < 1) await new Promise((resolve) => setImmediate(resolve));
  await farm.kill("SIGKILL");
  await farm.serve();
  while (told.length < 2) await new Promise((resolve) => setImmediate(resolve));
  expect(told.map(({ id, event, attempt }) => [id, event, attempt])).toEqual([
    [told[0].id, "ended", 1],
    [told[0].id, "ended", 2],
  ]);
  const metrics = async (): Promise<string> => (await farm.client.raw("GET", "/metrics")).body.toString();
  while (!(await metrics()).includes('croft_notifications_total{what="delivered"} 1')) continue;
  expect(await metrics()).toMatch(/^croft_notifications_waiting 0$/m);

  // A new address is told of, and not what of it is secret.
  const file = join(farm.folder, "farm.json");
  writeFileSync(file, readFileSync(file, "utf8").replace(`${port}/`, `${port}/t0ps3cret`));
  for (const args of [["--try", file], []]) {
    const { stdout } = await farm.croft("reload", ...args);
    expect(stdout).toContain(`channel ops: the address at 127.0.0.1:${port} (`);
    expect(stdout).not.toContain("t0ps3cret");
  }
});
