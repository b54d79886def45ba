import { randomBytes } from "node:crypto";

import type { Commands, Ran } from "../system/commands.ts";
import { parseNodes, type SlurmNode } from "./nodes.ts";
import { commentOf, parseQueue, QUEUE_FIELDS, type SlurmJob } from "./queue.ts";

/** The result of a command. */
export type Answer<Value> = { readonly ok: true; readonly value: Value } | Failure;

export interface Failure {
  readonly ok: false;
  /**
   * - `unreachable`: there was no answer. The command may have been carried out, may be later, or not at all.
   * - `refused`: the controller has said no.
   */
  readonly why: "unreachable" | "refused";
  readonly reason: string;
}

/** Slurm's own commands give up after MessageTimeout (10 s unless set) times a few. */
const TIMEOUT_SECONDS = 60;
/** It asks no controller, and the farm's start waits for it. */
const VERSION_TIMEOUT_SECONDS = 5;
/** More at a time do not make Slurm faster: it took 245 submissions a second from 2, 356 from 4, 395 from 8. */
const MAX_SUBMISSIONS = 4;

/** Slurm by its command line, any version since 20. */
export class SlurmCli {
  private readonly commands: Commands;
  private readonly environment: Readonly<Record<string, string>>;
  private submitting = 0;
  private readonly waiting: (() => void)[] = [];

  /** @param configPath where slurm.conf is; null: where Slurm looks for it */
  constructor(commands: Commands, configPath: string | null) {
    this.commands = commands;
    this.environment = {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/slurm/bin",
      ...(configPath === null ? {} : { SLURM_CONF: configPath }),
    };
  }

  /**
   * All jobs of a user, or of everybody, those that are over included as long as Slurm remembers them.
   *
   * Each line begins with a random word, since names and comments may contain line ends and so forge lines.
   */
  async queue(uid: number | null): Promise<Answer<SlurmJob[]>> {
    const nonce = randomBytes(12).toString("hex");
    const whose = uid === null ? [] : [`--user=${uid}`];
    const answer = await this.run("squeue", ["-h", "-t", "all", ...whose, "-o", `${nonce}${QUEUE_FIELDS}`]);
    if (!answer.ok) return answer;
    // Jobs that are not listed are lost in time, so what is no list must not be taken for an empty one.
    if (answer.value.trim() !== "" && !answer.value.includes(nonce)) return noList("squeue", answer.value);
    return { ok: true, value: parseQueue(answer.value, nonce) };
  }

  /** Whether Slurm's commands are not on this machine, or may not be run. One that hangs is there. */
  async isMissing(): Promise<boolean> {
    const { status, stderr } = await this.commands.run("squeue", ["--version"], {
      environment: this.environment,
      timeoutSeconds: VERSION_TIMEOUT_SECONDS,
    });
    return status === null && /ENOENT|EACCES/.test(stderr);
  }

  async nodes(): Promise<Answer<SlurmNode[]>> {
    const answer = await this.run("scontrol", ["-o", "show", "node"]);
    if (!answer.ok) return answer;
    const nodes = parseNodes(answer.value);
    if (nodes.length === 0 && !/^\s*(?:No nodes|$)/.test(answer.value))
      return noList("scontrol show node", answer.value);
    return { ok: true, value: nodes };
  }

  async config(): Promise<Answer<ReadonlyMap<string, string>>> {
    const answer = await this.run("scontrol", ["show", "config"]);
    if (!answer.ok) return answer;
    const settings = [...answer.value.matchAll(/^(\w+)\s*=\s*(.*)$/gm)].map(
      ([, name, value]): [string, string] => [name!, value!.trim()],
    );
    return { ok: true, value: new Map(settings) };
  }

  /** The controller's clock, in Unix seconds. */
  async clock(): Promise<Answer<number>> {
    const answer = await this.run("scontrol", ["show", "config"]);
    if (!answer.ok) return answer;
    // The controller's time at its answer, in this machine's zone.
    const time = Date.parse(/^Configuration data as of (\S+)$/m.exec(answer.value)?.[1] ?? "");
    return Number.isNaN(time)
      ? { ok: false, why: "unreachable", reason: "scontrol show config tells no time" }
      : { ok: true, value: time / 1000 };
  }

  /** @returns the job's number in Slurm */
  async submit(args: readonly string[], attempt: string): Promise<Answer<string>> {
    if (this.submitting >= MAX_SUBMISSIONS) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.submitting++;
    const answer = await this.act("sbatch", ["--parsable", ...args], { CROFT_ATTEMPT: attempt });
    this.submitting--;
    this.waiting.shift()?.();
    if (!answer.ok) return answer;
    const id = /^(\d+)(?:;.*)?$/m.exec(answer.value.trim())?.[1];
    return id === undefined
      ? { ok: false, why: "unreachable", reason: `sbatch answered ${answer.value.trim().slice(0, 200)}` }
      : { ok: true, value: id };
  }

  /** Ends a job, by its number and name: after a crash the controller gives numbers out again. */
  cancel(id: string, name: string): Promise<Answer<string>> {
    return this.act("scancel", ["-n", name, id]);
  }

  /** Ends all jobs of a name. */
  cancelAll(name: string): Promise<Answer<string>> {
    return this.act("scancel", ["-n", name]);
  }

  /** Asks all processes of a job to end. */
  terminate(id: string, name: string): Promise<Answer<string>> {
    return this.act("scancel", ["--signal=TERM", "--full", "-n", name, id]);
  }

  suspend(id: string, name: string): Promise<Answer<string>> {
    return this.byNumber("suspend", id, name);
  }

  resume(id: string, name: string): Promise<Answer<string>> {
    return this.byNumber("resume", id, name);
  }

  /** Keeps the jobs of a name that wait from starting. */
  hold(_id: string, name: string): Promise<Answer<string>> {
    return this.act("scontrol", ["hold", `jobname=${name}`]);
  }

  /**
   * Has the controller write down what it knows of all jobs, within 5 s. It does so after each change that
   * somebody asks for, and not after a start by its backfill scheduler: that one is forgotten with a
   * controller that is killed, however much later (measured: 25 s; its own turn comes every 300 s).
   */
  save(name: string): Promise<Answer<string>> {
    return this.act("scontrol", ["update", `jobname=${name}`, `comment=${commentOf(name)}`]);
  }

  /** For commands that take only numbers: checks first that the number is still that job's. */
  private async byNumber(command: string, id: string, name: string): Promise<Answer<string>> {
    const owner = await this.run("squeue", ["-h", "-t", "all", "-j", id, "-o", "%j"]);
    if (!owner.ok) return owner;
    if (owner.value.trim() !== name)
      return { ok: false, why: "refused", reason: `job ${id} is another one by now` };
    return this.act("scontrol", [command, id]);
  }

  /** A command that only asks. */
  private async run(program: string, args: readonly string[]): Promise<Answer<string>> {
    const { environment } = this;
    return answerOf(await this.commands.run(program, args, { environment, timeoutSeconds: TIMEOUT_SECONDS }));
  }

  /** One that changes something. */
  private async act(
    program: string,
    args: readonly string[],
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answer<string>> {
    const environment = { ...this.environment, ...more };
    const options = { environment, timeoutSeconds: TIMEOUT_SECONDS, acts: true } as const;
    return answerOf(await this.commands.run(program, args, options));
  }
}

function noList(program: string, text: string): Failure {
  // What is no list may be anything, bytes included.
  const shown = text
    .trim()
    .slice(0, 80)
    .replaceAll(/[^ -~]/g, "?");
  return { ok: false, why: "unreachable", reason: `${program} answered no list: ${shown}` };
}

/** Messages of Slurm's commands if they got no answer, or no useful one. */
const UNREACHABLE =
  /unable to contact slurm controller|connection refused|timed out|communication (?:connection|shutdown) failure|connection (?:reset|failure)|zero bytes were transmitted|temporarily unavailable|configuration source|process configuration file|cannot stat file|standby|authentication (?:error|failure)|network is unreachable|no route to host|unexpected message received|insane message|shutdown in progress/i;

/** Of a message, from its end. */
const MOST_LOOKED_AT = 10_000;

function answerOf({ status, stdout, stderr: message }: Ran): Answer<string> {
  if (status === 0) return { ok: true, value: stdout };
  const stderr = message.slice(-MOST_LOOKED_AT);
  const reason = stderr.trim().split("\n").at(-1)?.slice(0, 300) ?? "";
  // A program that is not there, or took too long.
  const why = status === null || UNREACHABLE.test(stderr) ? "unreachable" : "refused";
  return { ok: false, why, reason: reason === "" ? `it ended with status ${status}` : reason };
}
