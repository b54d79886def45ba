import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";

import type { StartRequest } from "../engine.ts";
import { requestProblem } from "../request.ts";
import { launchFile, outputsOf } from "./launch-file.ts";
import { FILES, parseExit, parseStart } from "./records.ts";
import { wrapperScript } from "./script.ts";

const top = mkdtempSync(join(tmpdir(), "croft-wrapper-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));
const script = join(top, "wrapper.sh");
writeFileSync(script, wrapperScript);

const shells = [["/bin/sh"], ["/bin/bash", "--posix"], ["/bin/busybox", "sh"]].filter(([path]) =>
  existsSync(path),
);
const id = { job: "00000000-0000-4000-8000-000000000000", attempt: 1 };
const KEY = `${id.job}.1`;
let folders = 0;

function newFolder(): string {
  const folder = join(top, `attempt ${++folders}`);
  mkdirSync(folder);
  return folder;
}

function request(change: Partial<StartRequest>): StartRequest {
  return {
    id,
    placement: [{ machine: "m", coresMilli: 1000, memoryMiB: 1, gpuMilli: 0 }],
    command: ["true"],
    directory: "/",
    environment: { PATH: "/usr/bin:/bin" },
    user: null,
    stdoutPath: null,
    stderrPath: null,
    limits: { memoryMiB: null, coresMilli: null, seconds: null, graceSeconds: 0 },
    ...change,
  };
}

/** Runs an attempt to its end; `prefix` is what another user's would be run with. */
function run(shell: readonly string[], change: Partial<StartRequest>, prefix: readonly string[] = []) {
  const folder = newFolder();
  const asked = request(change);
  expect(requestProblem(asked)).toBeNull();
  writeFileSync(join(folder, FILES.launch), launchFile(asked, {}, ""));
  const { status, stdout } = start(shell, folder, prefix);
  const file = (name: keyof typeof FILES) => readFileSync(join(folder, FILES[name]));
  return { folder, status, stdout, file, exit: () => parseExit(file("exit").toString()) };
}

function start(shell: readonly string[], folder: string, prefix: readonly string[] = []) {
  const [program, ...args] = shell;
  return spawnSync(program, [...args, script, folder, "", "", ...prefix], {
    env: { CROFT_ATTEMPT: KEY },
    encoding: "utf8",
  });
}

/** As the job itself sees them: its arguments, and its environment. */
function seen(output: Buffer): { args: string[]; variables: string[] } {
  const texts = output.toString().split("\0").slice(0, -1);
  const end = texts.indexOf("the-end");
  return { args: texts.slice(0, end), variables: texts.slice(end + 1) };
}
const show = (args: readonly string[]) => [
  "cat",
  "/proc/self/cmdline",
  "/proc/self/environ",
  "--",
  ...args,
  "the-end",
];

describe.each(shells.map((shell) => ({ name: shell.join(" "), shell })))(
  "the wrapper, run by $name",
  ({ shell }) => {
    it("claims, runs, and records the end", () => {
      const { status, stdout, file, exit } = run(shell, {
        command: ["sh", "-c", "echo out; echo err >&2; exit 7"],
      });
      expect(status).toBe(7);
      expect(stdout).toBe(`go ${KEY}\nend ${KEY}\n`);
      expect(file("stdout").toString()).toBe("out\n");
      expect(file("stderr").toString()).toBe("err\n");
      expect(parseStart(file("start").toString())).toMatchObject({
        kind: "claim",
        boot: readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(),
        machine: readFileSync("/proc/sys/kernel/hostname", "utf8").trim(),
        slurmJob: null,
      });
      expect(exit()).toMatchObject({ status: 7, signal: null });
    });

    it("gives arguments and variables to the job as they are", () => {
      const hostile = fc.oneof(
        fc.string({ unit: "binary", maxLength: 30 }),
        fc.string({
          unit: fc.constantFrom("'", '"', "\\", "$(", "`", "\n", " ", "*", "a", "\u0081", "\u00ff", "\u007f"),
          maxLength: 12,
        }),
        fc.constantFrom(
          "end 0",
          "\n",
          "\n\n",
          "a\n",
          "\nend 0\n",
          "$(touch /tmp/owned)",
          "--",
          "-n",
          "variable 0\nA=b",
        ),
      );
      const text = hostile.map((each) => each.replaceAll("\0", "").replace(/[\ud800-\udfff]/gu, ""));
      const name = fc
        .oneof(
          text,
          fc.constantFrom(
            "IFS",
            "PATH",
            "OPTIND",
            "PPID",
            "UID",
            "PS4",
            "LINENO",
            "ENV",
            "SHELLOPTS",
            "LC_ALL",
            "HOME",
            "_",
          ),
          fc.constantFrom(
            "folder",
            "croft_value",
            "croft_more",
            "launcher",
            "a.b",
            "-i",
            "BASH_FUNC_x%%",
            "é",
            "LD_PRELOAD",
          ),
        )
        .filter((each) => each !== "" && !each.includes("=") && !each.startsWith("CROFT_"));
      fc.assert(
        fc.property(
          fc.array(text, { maxLength: 5 }),
          fc.dictionary(name, text, { maxKeys: 5 }),
          fc.boolean(),
          (args, given, isOther) => {
            const environment: Record<string, string> = { ...given, PATH: "/usr/bin:/bin" };
            delete environment["LD_PRELOAD"];
            const { file, folder } = run(
              shell,
              { command: show(args), environment },
              isOther ? ["/usr/bin/env"] : [],
            );
            const { args: seenArgs, variables } = seen(file("stdout"));
            expect(seenArgs, folder).toEqual(show(args).slice(0, -1));
            const expected = Object.entries({ ...environment, PWD: "/", CROFT_ATTEMPT: `${id.job}.1` });
            expect(
              new Map(expected.map(([name, value]) => [name, variables.includes(`${name}=${value}`)])),
            ).toEqual(new Map(expected.map(([name]) => [name, true])));
            const own = ["SHLVL", "_"];
            expect(variables.length).toBeLessThanOrEqual(expected.length + own.length);
          },
        ),
        { numRuns: 60 },
      );
      expect(existsSync("/tmp/owned")).toBe(false);
    });

    it("runs a program whose name has an equals sign, with variables no shell can set", () => {
      const folder = mkdtempSync(join(top, "bin"));
      const program = join(folder, "a=b");
      writeFileSync(
        program,
        "#!/bin/sh\nprintf '%s,' \"$@\"; tr '\\0' '\\n' </proc/$$/environ | grep ^x.y=\n",
        { mode: 0o755 },
      );
      const { file } = run(shell, {
        command: [program, "1", "2 3"],
        environment: { PATH: "/usr/bin:/bin", "x.y": "z" },
      });
      expect(file("stdout").toString()).toBe("1,2 3,x.y=z\n");
    });

    it("needs nothing of the job's own PATH", () => {
      const environment = { PATH: "/no/such", "x.y": "z" };
      const { exit, file } = run(shell, { command: ["/bin/sh", "-c", "echo it ran"], environment });
      expect([exit()?.status, file("stdout").toString()]).toEqual([0, "it ran\n"]);
    });

    it("tells a signal from a status, and a program that is not there", () => {
      expect(run(shell, { command: ["sh", "-c", "kill -9 $$"] }).exit()).toMatchObject({
        status: 137,
        signal: 9,
      });
      expect(run(shell, { command: ["sh", "-c", "exit 200"] }).exit()).toMatchObject({
        status: 200,
        signal: null,
      });
      const missing = run(shell, { command: ["no-such-program"] });
      expect(missing.exit()).toMatchObject({ status: 127 });
      expect(missing.file("stderr").toString()).toContain("no-such-program");
      expect(run(shell, { command: ["/etc/passwd"] }).exit()).toMatchObject({ status: 126 });
    });

    it("counts the processor time of what has run", () => {
      const { exit } = run(shell, {
        command: ["sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done"],
      });
      expect(exit()!.cpuSeconds).toBeGreaterThan(0.01);
    });

    it("writes where it is told to, both into one file too", () => {
      const folder = newFolder();
      const [out, err] = [join(folder, "out 'put"), join(folder, "$(err)")];
      const command = ["sh", "-c", "echo out; echo err >&2"];
      run(shell, { command, stdoutPath: out, stderrPath: err });
      expect([readFileSync(out, "utf8"), readFileSync(err, "utf8")]).toEqual(["out\n", "err\n"]);
      const both = join(folder, "both");
      run(shell, { command, stdoutPath: both, stderrPath: both });
      expect(readFileSync(both, "utf8")).toBe("out\nerr\n");
      const only = join(folder, "only");
      const onlyErrors = run(shell, { command, stderrPath: only });
      expect([onlyErrors.file("stdout").toString(), readFileSync(only, "utf8")]).toEqual(["out\n", "err\n"]);
    });

    it("hands on very many arguments, and very many lines, in time that grows with them", () => {
      const many = Array.from({ length: 60_000 }, (_, at) => `${at}`);
      const lines = many.slice(0, 19_999).join("\n");
      const command = ["sh", "-c", 'echo "$# ${#1} $2 ${60001}"', "x", lines, ...many];
      // Of a processor: with each argument in a variable of its own it took 9.
      const prefix = ["/bin/sh", "-c", 'ulimit -t 6; exec "$@"', "x"];
      const { file } = run(shell, { command }, prefix);
      expect(file("stdout").toString()).toBe(`60001 ${lines.length} 0 59999\n`);
    });

    it("writes over nothing: what is there already stays, with a heading before what comes", () => {
      const folder = newFolder();
      const out = join(folder, "out");
      const command = ["printf", "no line end"];
      run(shell, { command, stdoutPath: out, heading: "FIRST" });
      run(shell, { command, stdoutPath: out, stderrPath: out, heading: "SECOND" });
      expect(readFileSync(out, "utf8")).toBe("no line end\nSECOND\nno line end");
      run(shell, { command, stdoutPath: "/dev/null", heading: "THIRD" });
    });

    it("writes no heading into the farm's own file, which is made before", () => {
      const folder = newFolder();
      const [kept, own] = [join(folder, "kept"), join(folder, "own")];
      for (const path of [kept, own]) writeFileSync(path, "");
      const output = { bytes: 1e9, paths: [kept] };
      run(shell, {
        command: ["sh", "-c", "echo out; echo err >&2"],
        stdoutPath: kept,
        stderrPath: own,
        heading: "HEADING",
        limits: { memoryMiB: null, coresMilli: null, seconds: null, graceSeconds: 1, output },
      });
      expect(readFileSync(kept, "utf8")).toBe("out\n");
      expect(readFileSync(own, "utf8")).toBe("\nHEADING\nerr\n");
    });

    it("makes the job's files with the umask that it is told, and the job has it", () => {
      const out = join(newFolder(), "out");
      run(shell, { command: ["sh", "-c", "umask"], stdoutPath: out, umask: "027" });
      expect([readFileSync(out, "utf8"), statSync(out).mode & 0o777]).toEqual(["0027\n", 0o640]);
    });

    it("gives the job the soft limits that it is told, and says which it cannot give", () => {
      const command = ["sh", "-c", "ulimit -Sn; ulimit -Sc; ulimit -Ss; ulimit -St"];
      const limits = { openFiles: 100, coreBytes: 10_240, stackBytes: 4 * 1024 * 1024, cpuSeconds: null };
      const { file } = run(shell, { command, softLimits: limits });
      expect([file("stdout").toString(), file("stderr").toString()]).toEqual([
        "100\n20\n4096\nunlimited\n",
        "",
      ]);
      const prefix = ["/bin/sh", "-c", 'ulimit -n 200; exec "$@"', "x"];
      const above = run(
        shell,
        { command: ["sh", "-c", "ulimit -Sn"], softLimits: { openFiles: 300 } },
        prefix,
      );
      expect([above.file("stdout").toString(), above.file("stderr").toString()]).toEqual([
        "200\n",
        "croft: ulimit -S -n 300 cannot be set here: it stays at 200\n",
      ]);
    });

    it.each([
      [{ directory: "/no/such/folder" }, "its working directory cannot be entered: /no/such/folder\n"],
      [{ stdoutPath: "/no/such/out" }, "its output cannot be written to: /no/such/out\n"],
      [{ stderrPath: "/no/such/err" }, "its error output cannot be written to: /no/such/err\n"],
    ])("says why it does not come to the job: %j", (change, reason) => {
      for (const prefix of [[], ["/usr/bin/env"]]) {
        const marker = join(newFolder(), "ran");
        const { exit, stdout } = run(shell, { command: ["touch", marker], ...change }, prefix);
        expect(exit()).toMatchObject({ status: 125, refused: reason.trim() });
        expect(stdout).toBe(`end ${KEY}\n`);
        expect(existsSync(marker)).toBe(false);
      }
    });

    it.each([
      ["stdinPath", "its input cannot be read"],
      ["stdoutPath", "its output cannot be written to"],
      ["stderrPath", "its error output cannot be written to"],
    ])("takes no named pipe, whose other end it would wait for: %s", (stream, reason) => {
      const pipe = join(newFolder(), "pipe");
      expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
      // Here somebody has it, so that a wrapper that opens it does not wait for ever.
      const other = openSync(pipe, "r+");
      const { exit } = run(shell, { [stream]: pipe });
      closeSync(other);
      expect(exit()).toMatchObject({ status: 125, refused: `${reason}, since it is a named pipe: ${pipe}` });
    });

    it("does not run a launch file that is cut off, wherever", () => {
      const whole = launchFile(request({ command: ["touch", "MARKER"], environment: { A: "1\n2" } }), {}, "");
      for (let length = 0; length < whole.length - 1; length += 7) {
        const folder = newFolder();
        const marker = join(folder, "ran");
        writeFileSync(join(folder, FILES.launch), whole.replace("MARKER", marker).slice(0, length));
        start(shell, folder);
        expect(existsSync(marker), whole.slice(0, length)).toBe(false);
      }
    });

    it("runs one of many that are started for the same attempt", async () => {
      const folder = newFolder();
      const lines = join(folder, "lines");
      const command = ["sh", "-c", 'echo ran >>"$1"', "sh", lines];
      writeFileSync(join(folder, FILES.launch), launchFile(request({ command }), {}, ""));
      const [program, ...args] = shell;
      const codes = await Promise.all(
        Array.from(
          { length: 12 },
          () =>
            new Promise<number | null>((resolve) => {
              spawn(program, [...args, script, folder, "", ""], { env: {}, stdio: "ignore" }).on(
                "exit",
                resolve,
              );
            }),
        ),
      );
      expect(readFileSync(lines, "utf8")).toBe("ran\n");
      expect(codes.filter((code) => code === 0)).toHaveLength(1);
      expect(codes.filter((code) => code === 3)).toHaveLength(11);
    });

    it("runs one attempt after another, as it is told, and ends with its input", () => {
      const attempts = newFolder();
      const keys = [1, 2, 3, 4].map((attempt) => `${id.job}.${attempt}`);
      const scripts = [
        "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done; umask 0; cd /tmp; exit 1",
        'echo "$CROFT_ATTEMPT $(umask) $PWD ${A-none}"; exit 2',
        "exit 3",
      ];
      scripts.forEach((text, at) => {
        const folder = join(attempts, keys[at]);
        mkdirSync(folder);
        const environment = { PATH: "/usr/bin:/bin", ...(at === 0 ? { A: "first" } : {}) };
        const asked = request({
          id: { ...id, attempt: at + 1 },
          command: ["sh", "-c", text],
          environment,
          ...(at === 2 ? { stdoutPath: "/dev/null", stderrPath: "/dev/null" } : {}),
        });
        writeFileSync(join(folder, FILES.launch), launchFile(asked, {}, ""));
      });
      const [program, ...args] = shell;
      // The fourth has no folder, and the first is told twice.
      const input = [
        `${keys[0]} kept`,
        `${keys[3]} kept`,
        `${keys[1]} kept`,
        `${keys[0]} kept`,
        `${keys[2]} -`,
      ];
      const { stdout, pid } = spawnSync(program, [...args, script, "-", attempts, ""], {
        env: {},
        encoding: "utf8",
        input: `${input.join("\n")}\n`,
      });
      expect(stdout).toBe(
        [
          `go ${keys[0]}\nend ${keys[0]}\n`,
          `end ${keys[3]}\n`,
          `go ${keys[1]}\nend ${keys[1]}\n`,
          `end ${keys[0]}\n`,
          `go ${keys[2]}\nend ${keys[2]}\n`,
        ].join(""),
      );
      const file = (at: number, name: keyof typeof FILES): string =>
        readFileSync(join(attempts, keys[at], FILES[name]), "utf8");
      const exits = [0, 1, 2].map((at) => parseExit(file(at, "exit"))!);
      expect(exits.map(({ status }) => status)).toEqual([1, 2, 3]);
      // What the first took is not counted again.
      expect(exits[0].cpuSeconds).toBeGreaterThan(0.02);
      expect(exits[2].cpuSeconds).toBeLessThan(exits[0].cpuSeconds / 2);
      expect(file(1, "stdout")).toMatch(new RegExp(`^${keys[1].replaceAll(".", "[.]")} 0022 / none\n`));
      expect(parseStart(file(2, "start"))).toMatchObject({ kind: "claim", pid });
      expect(existsSync(join(attempts, keys[2], FILES.stdout))).toBe(false);
      expect(existsSync(join(attempts, keys[3]))).toBe(false);
    });

    it("does not run where its folder is gone, or where the claim cannot be written", () => {
      expect(start(shell, join(top, "gone")).status).toBe(4);
      const folder = newFolder();
      // A disk that is full, for this name.
      spawnSync("ln", ["-s", "/dev/full", join(folder, FILES.start)]);
      // It says that it has ended, so that nobody waits for it.
      expect(start(shell, folder)).toMatchObject({ status: 3, stdout: `end ${KEY}\n` });
      expect(readFileSync(join(folder, FILES.exit), "utf8")).toBe("");
    });

    it("gives the job its signals back", async () => {
      const { file } = run(shell, { command: ["cat", "/proc/self/status"] });
      const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(file("stdout").toString())![1];
      // Of the first 31, none but what this test's own process ignores (Node ignores SIGPIPE and gives it back).
      expect(parseInt(ignored.slice(-8), 16)).toBe(0);
    });

    it("survives the signals that are for the job", async () => {
      const folder = newFolder();
      const command = [
        "sh",
        "-c",
        'echo "$PPID"; kill -TERM "$PPID"; kill -INT "$PPID"; kill -HUP "$PPID"; exit 4',
      ];
      writeFileSync(join(folder, FILES.launch), launchFile(request({ command }), {}, ""));
      start(shell, folder);
      expect(parseExit(readFileSync(join(folder, FILES.exit), "utf8"))).toMatchObject({ status: 4 });
    });
  },
);

const shellcheck = "/usr/bin/shellcheck";
const checked = existsSync(shellcheck) ? "" : " (skipped: needs shellcheck)";
it.skipIf(checked !== "")(`the script passes shellcheck${checked}`, () => {
  const { stdout } = spawnSync(shellcheck, ["-s", "sh", "-"], { input: wrapperScript, encoding: "utf8" });
  expect(stdout).toBe("");
});

it("a launch file tells the files that it names for output, and those alone", () => {
  const asked = (change: Partial<StartRequest>): string => launchFile(request(change), {}, '{"a": 1}');
  const odd = "/a\nstdout 0\n/b";
  const named = {
    stdinPath: "/in",
    heading: "stdout 0\n/c",
    makesFolders: true,
    command: ["stdout 0\n/d"],
  } as const;
  expect(outputsOf(asked({ ...named, stdoutPath: odd, stderrPath: "/e" }))).toEqual([odd, "/e"]);
  expect(outputsOf(asked({ ...named, stdoutPath: odd, stderrPath: odd }))).toEqual([odd]);
  expect(outputsOf(asked(named))).toEqual([]);
  for (const cut of ["", "stdout", "stdout 0", "stdout 9\n/a\nend 0\n"]) expect(outputsOf(cut)).toEqual([]);
});

describe("records", () => {
  it("are none where they are cut off, wherever", () => {
    const exit = "croft-exit-1 3 12.50\n0m0.00s 0m0.01s\n1m2.50s 0m0.25s\nend\n";
    const record = { status: 3, signal: null, monotonicSeconds: 12.5, cpuSeconds: 62.75, refused: null };
    expect(parseExit(exit)).toEqual(record);
    // Times of before, a reason, and what a full disk took of a first try.
    const before = "0m9.00s 0m9.00s\n1m0.50s 0m0.00s\n";
    expect(parseExit(before + exit)).toEqual({ ...record, cpuSeconds: 2.25 });
    expect(parseExit(before + exit.slice(0, 30) + exit)).toEqual({ ...record, cpuSeconds: 2.25 });
    const refusal = exit.replace("-1 3 ", "-1 125 ");
    expect(parseExit(`${before}no such\tfolder\n${refusal}`)).toMatchObject({ refused: "no such?folder" });
    // A path may look like a record: the wrapper's own is the last.
    expect(parseExit(`${before}no ${exit}${refusal}`)).toMatchObject({ status: 125 });
    for (let length = 0; length < exit.length; length++) expect(parseExit(exit.slice(0, length))).toBeNull();
    const claim = "croft-start-1 12 345 abc-0 6.70 - some host\n";
    expect(parseStart(claim)).toMatchObject({ pid: 12, startTicks: 345, machine: "some host" });
    for (let length = 0; length < claim.length; length++)
      expect(parseStart(claim.slice(0, length))).toBeNull();
  });

  it("are none where they are anything else", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(parseStart(text)).toBeNull();
        expect(parseStart(`croft-fence-1 ${text}\n`)).toBeNull();
        expect(parseExit(text)).toBeNull();
      }),
    );
  });
});
