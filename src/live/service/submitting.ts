import type { EngineEvent, Requirement } from "../../core/index.ts";
import { STEP_BYTES, SUBMIT_STEP } from "../limits.ts";
import type { Database } from "../store/database.ts";
import { accountText } from "./accounts.ts";
import { Admission } from "./admission.ts";
import type { ArrayLimits } from "./array-limits.ts";
import { withKind, withoutKind } from "./gpu-kind.ts";
import { holdReason, NOTHING_RUNS, type Books, type LiveJob } from "./books.ts";
import { isMet, type Dependencies } from "./dependencies.ts";
import { Environments, hashOf } from "./environments.ts";
import { readRequest, requestText, tagsText, type JobRequest } from "../store/job-request.ts";
import { isFinal, type JobState, stateText } from "../store/job-states.ts";
import { KnownNames } from "./known-names.ts";
import type { Notifying } from "./notifying.ts";
import type { OutputFiles } from "./output-files.ts";
import { countsAccounts, type PlainFarm } from "./plain-farm.ts";
import { asking, type AskedOf } from "./asked.ts";
import type { Numbered } from "./numbered.ts";
import { RequestChecks } from "./request-checks.ts";
import { rejectedBecause } from "./rejected.ts";
import type { Requirements } from "./requirements.ts";
import type { Ending } from "./ending.ts";
import type { Scheduling } from "./scheduling.ts";
import { SubmissionKeys } from "./submission-keys.ts";
import type { Timing } from "./timing.ts";
import { transition } from "./transition.ts";
import type { Turn } from "./turn.ts";
import { uuid7 } from "./uuid.ts";

export interface SubmittingParts {
  readonly database: Database;
  readonly books: Books;
  readonly farm: PlainFarm;
  readonly requirements: Requirements;
  readonly dependencies: Dependencies;
  readonly arrayLimits: ArrayLimits;
  readonly scheduling: Scheduling;
  readonly ending: Ending;
  readonly timing: Timing;
  readonly notifying: Notifying;
  readonly outputFiles: OutputFiles;
  /** The highest number that a job has had. */
  readonly lastNumber: number;
}

export interface Submission {
  readonly user: string;
  readonly jobs: readonly JobRequest[];
  /** Of all of them. */
  readonly environment: Readonly<Record<string, string>>;
  /** A second submission with the same key makes no new jobs; null: each does. */
  readonly key: string | null;
  /** What tells submissions with one key apart; null: all that they ask for. */
  readonly content?: string | null;
}

export interface SubmittedJob {
  readonly id: string;
  readonly number: number;
  readonly state: JobState;
  readonly reason: string;
}

/** A request as its row has it, and the number of its environment. */
interface StoredTexts {
  readonly text: string;
  readonly environment: number;
  readonly environmentBytes: number;
}

/** Does a part in a turn; null: more is to be done in the next. */
type Step = (turn: Turn) => { readonly result: SubmittedJob[] } | null;

/** Takes jobs from users. */
export class Submitting {
  readonly names: KnownNames;
  private readonly parts: SubmittingParts;
  private nextNumber: number;
  private skippedTo = 0;
  readonly environments: Environments;
  private readonly askedOf: AskedOf;
  private readonly keys: SubmissionKeys;
  readonly checks: RequestChecks;
  private readonly admission: Admission;

  constructor(parts: SubmittingParts) {
    const { database } = parts;
    this.parts = parts;
    this.nextNumber = 1 + parts.lastNumber;
    this.environments = new Environments(database);
    this.names = new KnownNames(parts.farm);
    this.askedOf = asking(parts.farm);
    this.keys = new SubmissionKeys(database, parts.books);
    this.checks = new RequestChecks({
      farm: parts.farm,
      names: this.names,
      notifying: parts.notifying,
      isThere: (job) => parts.books.jobs.has(job) || this.stateOf(job) !== null,
    });
    this.admission = new Admission(parts.farm, parts.books, database, parts.requirements);
  }

  /** A number that no later submission is to give. The jobs of one that is being taken follow one another. */
  skipTo(number: number): void {
    this.skippedTo = Math.max(this.skippedTo, number);
  }

  /** The number that the next job gets. */
  get next(): number {
    return this.nextNumber;
  }

  /** @throws Refusal if one of the jobs is impossible: then none is taken */
  submit(turn: Turn, submission: Submission): SubmittedJob[] {
    const step = this.inSteps(submission);
    for (;;) {
      const taken = step(turn);
      if (taken !== null) return taken.result;
    }
  }

  /**
   * Takes some jobs a turn, since the rows of all may be too much for one: for `Loop.actInSteps`. If the service ends
   * before all are taken, the next one takes those back that were: see `Ending.goOn`.
   */
  inSteps({ user, jobs, environment, key, content = null }: Submission): Step {
    const hash = key === null ? "" : hashOf(content ?? JSON.stringify([jobs, environment]));
    const isLong = jobs.length > SUBMIT_STEP;
    const texts: (Requirement | null)[] = [];
    let take: Step | null = null;
    return (turn) => {
      if (take !== null) return take(turn);
      const before = key === null || texts.length > 0 ? null : this.keys.submitted(user, key, hash);
      if (before !== null) return { result: before };
      // All checks, before anything is changed.
      for (const request of jobs.slice(texts.length, texts.length + SUBMIT_STEP))
        texts.push(this.checks.checkInList(request, turn.unixSeconds, jobs.length > 1 ? texts.length : null));
      if (texts.length < jobs.length) return null;
      this.nextNumber = Math.max(this.nextNumber, 1 + this.skippedTo);
      this.parts.outputFiles.check(user, jobs, this.nextNumber);
      this.admission.check(user, jobs, environment);
      take = this.taking(turn, { user, jobs, environment, key }, hash, texts);
      return isLong ? null : take(turn);
    };
  }

  private taking(
    turn: Turn,
    { user, jobs, environment, key }: Submission,
    hash: string,
    texts: readonly (Requirement | null)[],
  ): Step {
    const environmentId = this.environments.numberOf(turn, environment);
    const environmentBytes = JSON.stringify(environment).length;
    const first = this.nextNumber;
    const most = jobs[0]?.array?.most;
    if (most !== undefined) this.parts.arrayLimits.add(turn, first, first + jobs.length - 1, most);
    let isNoted = false;
    const taken: SubmittedJob[] = [];
    return (present) => {
      let bytes = 0;
      const end = Math.min(jobs.length, taken.length + SUBMIT_STEP);
      for (let at = taken.length; at < end && bytes < STEP_BYTES; at++) {
        const { array, ...rest } = jobs[at]!;
        const request = { ...rest, array: array === null ? null : { ...array, first } };
        const text = requestText(request);
        bytes += text.length;
        taken.push(
          this.take(present, user, request, texts[at]!, {
            text,
            environment: environmentId,
            environmentBytes,
          }),
        );
      }
      if (taken.length < jobs.length) {
        if (!isNoted)
          present.write("INSERT INTO unfinished (first, last) VALUES (?, ?)", first, first + jobs.length - 1);
        isNoted = true;
        return null;
      }
      if (isNoted) present.write("DELETE FROM unfinished WHERE first = ?", first);
      if (key !== null) this.keys.remember(present, user, key, hash, taken);
      return { result: taken };
    };
  }

  /** Of a job that is over; null where there is none. */
  private stateOf(number: number): JobState | null {
    const { books, database } = this.parts;
    const ended = books.recentlyEnded.get(number);
    if (ended !== undefined) return ended;
    const row = database.get("SELECT state FROM job WHERE number = ?", number);
    return row === undefined ? null : (String(row["state"]) as JobState);
  }

  private take(
    turn: Turn,
    user: string,
    request: JobRequest,
    requirement: Requirement | null,
    { text, environment, environmentBytes }: StoredTexts,
  ): SubmittedJob {
    const { books, farm, dependencies, arrayLimits, scheduling, ending, requirements } = this.parts;
    const number = this.nextNumber++;
    const id = uuid7(turn.unixSeconds);
    const { retries, priority, timeSeconds, hold, licences, group, project } = request;
    const asked = this.askedOf(request, {
      requirement: requirement === null ? 0 : this.requirementOf(turn, request.requires),
      licences:
        licences.trim() === "" ? 0 : this.numberOf(turn, "licence_request", requirements.licences, licences),
      account: countsAccounts(farm)
        ? this.numberOf(turn, "account", requirements.accounts, accountText({ user, group, project }))
        : 0,
    });
    const event: EngineEvent = { type: "submitted", at: turn.at, job: number, request: asked };
    const job: LiveJob = {
      number,
      id,
      user,
      state: "waiting",
      reason: "",
      timeSeconds,
      priority,
      rowBytes: text.length,
      pool: null,
      startedAt: null,
      toldUntil: turn.unixSeconds,
      attempt: 0,
      retriesLeft: retries,
      isHeld: hold,
      isPaused: false,
      isPausedWithPool: false,
      ...NOTHING_RUNS,
    };
    const { name, tags, rerunOf } = request;
    turn.created(job, { name, request: text, environment, project, tags: tagsText(tags) });
    turn.event("submitted", { job: number, actor: user });
    if (rerunOf !== null) turn.write("UPDATE job SET reruns = reruns + 1 WHERE number = ?", rerunOf);
    books.jobs.set(number, job);
    this.parts.outputFiles.add(user, number, request);
    this.parts.notifying.add(turn, job, request);
    const stored = { bytes: text.length, environment, environmentBytes };
    this.admission.note(job, { user, group, project }, stored);
    const answer = scheduling.apply(turn, event);
    if (answer.answer === "ignored") throw new Error(`job ${number} could not be submitted: ${answer.text}`);
    if (answer.answer === "rejected") {
      const reason = rejectedBecause(farm, requirements, answer.reason, request.pool);
      ending.finish(turn, job, { state: "rejected", reason });
      return { id, number, state: "rejected", reason };
    }
    // None while it waits at its virtual pool.
    job.pool = scheduling.poolOf(number);
    scheduling.noteAwaited(turn, job);
    let isHopeless = false;
    const beginAt = request.beginAt !== null && request.beginAt > turn.unixSeconds ? request.beginAt : null;
    if (beginAt !== null) this.parts.timing.begins(turn, job, beginAt);
    if (request.deadlineAt !== null) this.parts.timing.deadline(turn, job, request.deadlineAt);
    const waitsFor = new Set<number>();
    for (const { job: after, condition } of request.after) {
      turn.write("INSERT INTO dependency (job, after, condition) VALUES (?, ?, ?)", number, after, condition);
      if (books.jobs.has(after)) {
        waitsFor.add(after);
        dependencies.add(number, after, condition);
        continue;
      }
      const state = this.stateOf(after)!;
      if (isFinal(state) && !isMet(condition, state)) {
        isHopeless = true;
        ending.cancel(turn, job, `job ${after}, which it waits for, ${stateText(state)}`);
      }
    }
    if (waitsFor.size > 0) job.after = waitsFor;
    if (isHopeless) return { id, number, state: job.state, reason: job.reason };
    const isFree = !hold && waitsFor.size === 0 && beginAt === null;
    const noPlace = isFree ? arrayLimits.admit(job) : null;
    if (!isFree || noPlace !== null) {
      scheduling.apply(turn, { type: "held", at: turn.at, job: number });
      transition(turn, job, "held");
      job.reason = noPlace ?? holdReason(job);
    }
    return { id, number, state: job.state, reason: job.reason };
  }

  /** What a job that is there requires with another kind of GPU; null: with any. */
  requiredWith(
    turn: Turn,
    job: number,
    kind: string | null,
  ): { readonly text: string; readonly number: number } {
    const row = this.parts.database.get("SELECT request FROM job WHERE number = ?", job);
    const own = withoutKind(readRequest(String(row?.["request"])).requires);
    const text = kind === null ? own : withKind(own, kind);
    if (text.trim() === "") return { text, number: 0 };
    this.checks.requirementOf(text);
    return { text, number: this.requirementOf(turn, text) };
  }

  /** @throws Refusal where a job that is there can run on no engine of a pool */
  checkPool(job: number, pool: string): void {
    const row = this.parts.database.get("SELECT request FROM job WHERE number = ?", job);
    this.checks.checkEngines(readRequest(String(row?.["request"])), pool);
  }

  private requirementOf(turn: Turn, text: string): number {
    return this.numberOf(turn, "requirement", this.parts.requirements.expressions, text);
  }

  /** The number of a text: a new one where it has none. */
  private numberOf(turn: Turn, table: string, numbers: Numbered<unknown>, text: string): number {
    const known = numbers.numberOf(text);
    if (known !== 0) return known;
    const number = numbers.add(text);
    turn.write(`INSERT INTO ${table} (number, text) VALUES (?, ?)`, number, text);
    return number;
  }
}
