import { once } from "node:events";

import { describe, expect, it } from "vitest";

import { Client } from "../../src/live/client/client.ts";
import type { SubmittedJob } from "../../src/live/service/submitting.ts";
import type { JobView } from "../../src/live/store/job-views.ts";
import { TestFarm } from "./farm.fixture.ts";

const isRoot = process.getuid?.() === 0;

describe.skipIf(!isRoot)(`started as root${isRoot ? "" : " (needs root)"}`, () => {
  it("runs a job as its user, keeps what it prints, and runs none as root by a token", async () => {
    const port = await freePort();
    const farm = new TestFarm(["--listen", `127.0.0.1:${port}`]);
    await farm.serve();
    const clientOf = async (user: string): Promise<Client> => {
      const { token } = await farm.client.send<{ token: string }>("POST", "/v1/tokens", {
        user,
        role: "user",
      });
      return new Client({ url: new URL(`http://127.0.0.1:${port}`), token });
    };
    const nobody = await clientOf("nobody");
    const { number } = await nobody.send<SubmittedJob>("POST", "/v1/jobs", {
      command: ["/bin/sh", "-c", "id -un; id -u >&2"],
    });
    expect(await nobody.get<JobView>(`/v1/jobs/${number}?wait=60`)).toMatchObject({
      state: "ended",
      user: "nobody",
    });
    const output = async (stream: string): Promise<string> =>
      (await nobody.raw("GET", `/v1/jobs/${number}/output?stream=${stream}`)).body.toString("utf8");
    expect(await output("stdout")).toBe("nobody\n");
    expect(await output("stderr")).toBe("65534\n");

    await expect(clientOf("there-is-no-such-user")).rejects.toThrow("there is no user there-is-no-such-user");

    const root = await clientOf("root");
    const last = await root.send<SubmittedJob>("POST", "/v1/jobs", { command: ["id"] });
    const refused = await root.get<JobView>(`/v1/jobs/${last.number}?wait=60`);
    expect(refused).toMatchObject({ state: "failed" });
    expect(refused.reason).toContain("jobs do not run as root here");
  });
});

it("gives no sockets to users where it cannot, in words", async () => {
  const farm = new TestFarm(["--users", "there-is-no-such-group"]);
  const said = isRoot
    ? "croft: --users: there is no Unix group there-is-no-such-group: groupadd there-is-no-such-group"
    : "croft: only root can give users sockets of their own, and run jobs as them: leave --users out, or start it as root";
  await expect(farm.serve()).rejects.toThrow(`croft serve has ended: ${said}`);
  expect((await farm.end()).status).toBe(2);
});

async function freePort(): Promise<number> {
  const { createServer } = await import("node:net");
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}
