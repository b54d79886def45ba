import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, describe, expect, it, onTestFinished } from "vitest";

import type { Channel } from "../../workload/index.ts";
import { readyChannel } from "./channels.ts";

const message = { id: 7, attempt: 2, body: '{"event":"ended"}' };

function tell(channel: Channel, signal = new AbortController().signal): Promise<void> {
  return readyChannel(channel).tell(message, signal);
}

describe("a program", () => {
  const folder = mkdtempSync(join(tmpdir(), "croft-notify-"));
  const program = join(folder, "p");
  const seen = join(folder, "seen");
  afterEach(() => rmSync(seen, { force: true }));

  function says(script: string): Channel {
    writeFileSync(program, `#!/bin/sh\n${script}\n`);
    chmodSync(program, 0o755);
    return { name: "ops", kind: "command", command: [program, "a b", seen] };
  }

  it("reads what happened, and has of the service's variables none", async () => {
    process.env["SECRET_OF_THE_SERVICE"] = "1";
    await tell(says('{ echo "$1"; cat; echo; env; } > "$2"'));
    const text = readFileSync(seen, "utf8");
    expect(text).toContain(`a b\n${message.body}\n`);
    expect(text).toMatch(/^CROFT_NOTIFICATION=7$/m);
    expect(text).toMatch(/^CROFT_ATTEMPT=2$/m);
    expect(text).not.toContain("SECRET");
  });

  it.each([
    ["exit 3", "it ends with the status 3"],
    ["echo no mailer >&2; exit 3", "it ends with the status 3: no mailer"],
    ["kill -9 $$", "it was ended by SIGKILL"],
    ["exec yes", "it prints more than 1 MiB"],
    ["exec yes no mailer >&2", "it prints more than 1 MiB: no mailer"],
  ])("that says %s has not taken it", async (script, problem) => {
    await expect(tell(says(script))).rejects.toThrow(problem);
  });

  it("that is not there has not taken it", async () => {
    await expect(tell({ name: "ops", kind: "command", command: ["/no/such"] })).rejects.toThrow(
      /it ends with the status 127: .*\/no\/such/,
    );
  });

  it("need not read, and may print without end", async () => {
    await tell(says("exec <&-; yes >&2 & yes & sleep 0.1; exit 0"));
  });

  it("is run by what ends it if nobody else does", async () => {
    await tell(says('tr "\\0" " " </proc/$PPID/cmdline >"$2"'));
    expect(readFileSync(seen, "utf8")).toMatch(/^timeout -s KILL 35 /);
  });

  it("is ended with all that it has begun", async () => {
    const late = new AbortController();
    const told = tell(says('sleep 1000 & echo $! > "$2.x"; mv "$2.x" "$2"; wait'), late.signal);
    while (!existsSync(seen)) await new Promise((resolve) => setImmediate(resolve));
    late.abort();
    await expect(told).rejects.toThrow("it takes too long");
    const child = Number(readFileSync(seen, "utf8"));
    const isThere = (): boolean => {
      try {
        return !/^State:\s+Z/m.test(readFileSync(`/proc/${child}/status`, "utf8"));
      } catch {
        return false;
      }
    };
    while (isThere()) await new Promise((resolve) => setImmediate(resolve));
  });
});

describe("an address", () => {
  async function serving(
    answer: (request: IncomingMessage, response: ServerResponse) => void,
  ): Promise<Channel> {
    const server: Server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return {
      name: "ops",
      kind: "webhook",
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`,
    };
  }

  it("gets it by POST", async () => {
    let got: unknown = null;
    const channel = await serving((request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        const { method, url, headers } = request;
        got = [
          method,
          url,
          headers["content-type"],
          headers["croft-notification"],
          headers["croft-attempt"],
          body,
        ];
        response.writeHead(204).end();
      });
    });
    await tell(channel);
    expect(got).toEqual(["POST", "/x", "application/json", "7", "2", message.body]);
  });

  it.each([500, 404, 302])("that answers %i has not taken it, and nobody else is asked", async (status) => {
    let asked = 0;
    const channel = await serving((_, response) => {
      asked++;
      response.writeHead(status, { location: "/y" }).end();
    });
    await expect(tell(channel)).rejects.toThrow(`it answers with the status ${status}`);
    expect(asked).toBe(1);
  });

  it("may answer without end", async () => {
    const channel = await serving((_, response) => {
      response.writeHead(200);
      const more = (): void => {
        while (response.write("x".repeat(65_536))) continue;
      };
      response.on("drain", more).on("error", () => undefined);
      more();
    });
    await tell(channel);
  });

  it("that does not answer is left", async () => {
    const late = new AbortController();
    const channel = await serving(() => late.abort());
    await expect(tell(channel, late.signal)).rejects.toThrow("it does not answer");
  });

  it("where nobody listens has not taken it", async () => {
    await expect(tell({ name: "ops", kind: "webhook", url: "http://127.0.0.1:1/" })).rejects.toThrow();
  });
});
