import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";

import { afterAll, describe, expect, it } from "vitest";

import type { ExportRequest } from "../exporter.ts";
import { parseExportedFamilies } from "../exported-family.ts";
import { run, temporaryFolders } from "../tools.fixture.ts";
import { lsf } from "./lsf.ts";

const folderOf = temporaryFolders();

function exported(
  policy: ExportRequest["policy"],
  families: readonly string[],
  ttlSeconds: number | null = null,
) {
  return folderOf(lsf.files({ policy, families: parseExportedFamilies(families), ttlSeconds }));
}

/** Runs the esub as LSF does: what it changes, or the text with which it refuses. */
function submit(folder: string, job: Record<string, string>, env: Record<string, string> = {}) {
  const files = {
    parameters: join(folder, "parm"),
    changes: join(folder, "modify"),
    environment: join(folder, "env"),
  };
  const quote = (text: string) => `"${text.replace(/["\\$`]/g, "\\$&")}"`;
  const text = Object.entries(job).map(([name, value]) => `${name}=${quote(value)}\n`);
  writeFileSync(files.parameters, text.join(""));
  writeFileSync(files.changes, "");
  writeFileSync(files.environment, "");
  const stdout = run(join(folder, "esub.croft"), [], {
    env: {
      LSB_SUB_PARM_FILE: files.parameters,
      LSB_SUB_MODIFY_FILE: files.changes,
      LSB_SUB_MODIFY_ENVFILE: files.environment,
      LSB_SUB_ABORT_VALUE: "97",
      ...env,
    },
  });
  expect(stdout).toBe("");
  return {
    changes: readFileSync(files.changes, "utf8"),
    environment: readFileSync(files.environment, "utf8"),
  };
}

describe("the esub", () => {
  const exclusive = exported("exclusive", ["queue=ams"]);

  it("has a family's jobs prefer hosts with many of them, and keeps others off", () => {
    expect(submit(exclusive, { LSB_SUB_QUEUE: "ams" })).toEqual({
      changes: 'LSB_SUB_RES_REQ="order[-pkyes:r15s:pg]"\n',
      environment: 'CROFT_FAMILY="queue_ams"\n',
    });
    expect(submit(exclusive, { LSB_SUB_QUEUE: "long" })).toEqual({
      changes: 'LSB_SUB_RES_REQ="select[(pkyes == 0)] "\n',
      environment: 'CROFT_FAMILY=""\n',
    });
  });

  it.each([
    ["mem>100", "select[(mem>100) && (pkyes == 0)] "],
    [
      "select[mem>100 || type==any] rusage[mem=10]",
      "select[(mem>100 || type==any) && (pkyes == 0)]  rusage[mem=10]",
    ],
    ["r1m rusage[dummy=1]", "select[(r1m) && (pkyes == 0)]  rusage[dummy=1]"],
    ["select[a] select[b] order[mem]", "select[(a) && (b) && (pkyes == 0)] order[mem]"],
    ["select[(a || (b)) && c != ')']", "select[((a || (b)) && c != ')') && (pkyes == 0)] "],
    ["span[hosts=1]", "select[(pkyes == 0)]  span[hosts=1]"],
  ])("adds to the user's own requirement: %s", (requirement, expected) => {
    const { changes } = submit(exclusive, { LSB_SUB_RES_REQ: requirement });
    expect(changes).toBe(`LSB_SUB_RES_REQ="${expected}"\n`);
  });

  it("puts the family's order before the user's, and keeps quotes", () => {
    const { changes } = submit(exclusive, {
      LSB_SUB_QUEUE: "ams",
      LSB_SUB_RES_REQ: 'select[hname!="a\\b"] order[mem:ut]',
    });
    expect(changes).toBe('LSB_SUB_RES_REQ="select[(hname!=\\"a\\\\b\\")] order[-pkyes:mem:ut]"\n');
  });

  it.each([
    "2*{select[a]} + {select[b]}",
    "{select[a]} || {select[b]}",
    "(select[a]) || (select[b])",
    "select[a) || (b]",
    'select[a "(" ) || (b ")"]',
    'select[a "]',
    "a) || (b",
    "select[a",
    "a]",
  ])("refuses what it cannot add to: %s", (requirement) => {
    expect(() => submit(exclusive, { LSB_SUB_RES_REQ: requirement })).toThrow(/compound and alternative/);
    expect(
      submit(exported("relaxed", ["queue=ams"]), { LSB_SUB_QUEUE: "ams", LSB_SUB_RES_REQ: requirement })
        .changes,
    ).toBe("");
  });

  it("goes by the queue in force: of several, the default, never the user's environment", () => {
    const family = (job: Record<string, string>, env: Record<string, string> = {}) =>
      submit(exclusive, job, env).environment;
    expect(family({ LSB_SUB_QUEUE: "ams ams" })).toContain("queue_ams");
    expect(family({ LSB_SUB_QUEUE: "ams long" })).not.toContain("queue_ams");
    expect(family({}, { LSB_DEFAULTQUEUE: "ams" })).toContain("queue_ams");
    expect(family({}, { LSB_SUB_QUEUE: "ams" })).not.toContain("queue_ams");
    expect(family({ LSB_SUB_QUEUE: "a*" })).not.toContain("queue_ams");
  });

  it("refuses changes that would lose the requirement, and lets others be", () => {
    const bmod = { LSF_INVOKE_CMD: "bmod" };
    expect(() => submit(exclusive, { LSB_SUB_RES_REQ: "mem>1" }, bmod)).toThrow(/submit it again/);
    expect(submit(exclusive, { LSB_SUB_BEGIN_TIME: "1" }, bmod)).toEqual({ changes: "", environment: "" });
  });

  it("tells several families apart, and takes users, groups and projects", () => {
    const { username } = userInfo();
    const several = exported("exclusive", ["project=chip", `user=${username}`, "queue=ams"]);
    expect(submit(several, { LSB_SUB_PROJECT_NAME: "chip" })).toEqual({
      changes: 'LSB_SUB_RES_REQ="select[(pkyes == pkyes_project_chip)] order[-pkyes_project_chip:r15s:pg]"\n',
      environment: 'CROFT_FAMILY="project_chip"\n',
    });
    expect(submit(several, { LSB_SUB_QUEUE: "ams" }).environment).toContain(`user_${username}`);
    expect(submit(exported("none", ["group=no-such"]), {}).changes).toBe("");
  });

  it("takes no program, function or start-up file of the user's for its own", () => {
    const [id] = [{ name: "id", text: "#!/bin/sh\necho root-of-all\n", isExecutable: true }];
    const trap = folderOf([id, { name: "start", text: "id() { echo root-of-all; }\n", isExecutable: false }]);
    const family = exported("relaxed", ["user=root-of-all"]);
    const env = {
      PATH: `${trap}:${process.env["PATH"]}`,
      BASH_ENV: join(trap, "start"),
      "BASH_FUNC_id%%": "() { echo root-of-all; }",
    };
    expect(submit(family, {}, env).environment).toBe('CROFT_FAMILY=""\n');
  });

  it("spreads, and with a TTL asks whose the host is", () => {
    expect(submit(exported("none", ["queue=ams"]), { LSB_SUB_QUEUE: "ams" }).changes).toBe(
      'LSB_SUB_RES_REQ="order[pkyes:r15s:pg]"\n',
    );
    const withTtl = exported("exclusive", ["queue=ams", "queue=cms"], 60);
    expect(submit(withTtl, { LSB_SUB_QUEUE: "cms" }).changes).toBe(
      'LSB_SUB_RES_REQ="select[(pkheld == 0 || pkheld == 2)] order[-pkyes_queue_cms:r15s:pg]"\n',
    );
    expect(submit(withTtl, { LSB_SUB_QUEUE: "x" }).changes).toBe(
      'LSB_SUB_RES_REQ="select[(pkheld == 0)] "\n',
    );
  });
});

/** A child has its job's environment only once it has become \`sleep\`. */
const JOBS_STARTED =
  'for child in $children; do until [ "$(cat /proc/$child/comm)" = sleep ]; do :; done; done\n';

/** Programs that stand for sbatchd and res, so named, with jobs for children; all die with the first. */
class Host {
  private readonly folder = folderOf([]);
  private daemon: ChildProcess | null = null;

  /** @param jobs variables of each job's first process */
  async runJobs(jobs: readonly Record<string, string>[]): Promise<void> {
    const sbatchd = join(this.folder, "sbatchd");
    const starts = jobs.map((job) => {
      const variables = Object.entries(job).map(([name, value]) => `${name}='${value}'`);
      return `env ${variables.join(" ")} sleep 60 & children="$children $!"\n`;
    });
    writeFileSync(
      sbatchd,
      `#!/bin/bash\nchildren=\ntrap 'kill $children; exit 0' TERM\n${starts.join("")}${JOBS_STARTED}echo ready\nread -r _\nkill $children\n`,
    );
    chmodSync(sbatchd, 0o755);
    this.daemon = spawn(sbatchd, { stdio: ["pipe", "pipe", "inherit"] });
    await new Promise((resolve) => this.daemon!.stdout!.once("data", resolve));
  }

  /** Its standard input ends, and with it the jobs, and it. */
  async stop(): Promise<void> {
    const daemon = this.daemon;
    if (daemon === null || daemon.exitCode !== null) return;
    const exit = new Promise((resolve) => daemon.once("exit", resolve));
    daemon.stdin!.end();
    await exit;
  }
}

const hasProc = existsSync("/proc/self/environ");
describe.skipIf(!hasProc)(`the elim${hasProc ? "" : " (skipped: needs /proc)"}`, () => {
  const hosts: Host[] = [];
  afterAll(async () => {
    await Promise.all(hosts.map((host) => host.stop()));
  });

  it("counts jobs by what the esub wrote, once each, and nothing else", async () => {
    const host = new Host();
    hosts.push(host);
    const hostile = `${folderOf([])}/evaluated`;
    await host.runJobs([
      { LSB_JOBID: "1", LSB_JOBINDEX: "0", CROFT_FAMILY: "queue_ams" },
      { LSB_JOBID: "2", LSB_JOBINDEX: "1", CROFT_FAMILY: "queue_ams" },
      { LSB_JOBID: "2", LSB_JOBINDEX: "2", CROFT_FAMILY: "queue_cms" },
      { LSB_JOBID: "3", CROFT_FAMILY: "" },
      { LSB_JOBID: "3", CROFT_FAMILY: "" }, // a second task of job 3
      { LSB_JOBID: "4", CROFT_FAMILY: `x[$(touch ${hostile})]` },
      { LSB_JOBID: "5", CROFT_FAMILY: "queue_ams queue_cms" },
      { CROFT_FAMILY: "queue_ams" }, // no batch job
    ]);
    const look = (policy: ExportRequest["policy"], families: string[], ttl: number | null = null) =>
      run(join(exported(policy, families, ttl), "elim.croft"), ["--once"]);
    expect(look("exclusive", ["queue=ams", "queue=cms"])).toBe(
      "4 pkyes 3 pknone 3 pkyes_queue_ams 2 pkyes_queue_cms 1\n",
    );
    expect(look("exclusive", ["queue=ams"])).toBe("2 pkyes 2 pknone 4\n");
    expect(look("exclusive", ["queue=none", "queue=cms"], 3600)).toBe(
      "5 pkyes 1 pknone 5 pkyes_queue_none 0 pkyes_queue_cms 1 pkheld 2\n",
    );
    // Nobody has come for longer than no time at all.
    expect(look("exclusive", ["queue=ams"], 0)).toBe("3 pkyes 2 pknone 4 pkheld 0\n");
    expect(existsSync(hostile)).toBe(false);
    await host.stop();
    expect(look("relaxed", ["queue=ams"])).toBe("2 pkyes 0 pknone 0\n");
  });
});

describe("the load indexes", () => {
  it("are declared, mapped and reported in the same number", () => {
    const folder = exported("exclusive", ["queue=ams", "user=ann"], 60);
    const names = (file: string) =>
      readFileSync(join(folder, file), "utf8")
        .split("\n")
        .filter((line) => line.startsWith("pk"))
        .map((line) => line.split(/\s+/)[0]);
    const declared = names("lsf.shared.croft");
    expect(declared).toEqual(["pkyes", "pknone", "pkyes_queue_ams", "pkyes_user_ann", "pkheld"]);
    expect(names("lsf.cluster.croft")).toEqual(declared);
    const reported = run(join(folder, "elim.croft"), ["--once"]).trim().split(" ");
    expect(reported[0]).toBe("5");
    expect(reported.slice(1).filter((_, at) => at % 2 === 0)).toEqual(declared);
  });

  it("have names that LSF takes", () => {
    const long = ["queue=ams", `project=${"x".repeat(26)}`];
    expect(() => exported("exclusive", long)).toThrow(/too long/);
  });
});
