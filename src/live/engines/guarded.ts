import type { AttemptId } from "./attempt-id.ts";
import type {
  Capabilities,
  Doing,
  Engine,
  Listing,
  Machine,
  Report,
  StartRequest,
  Unreachable,
} from "./engine.ts";

/** How long an engine has to list its attempts, and to close. By the real clock: a farm that runs faster has no faster disks. */
const PATIENCE_SECONDS = 30;

/**
 * An engine that is nothing but unreachable if it throws or does not answer: it does not end the service, which has
 * other pools too. It is reachable again when it lists its attempts.
 */
export class GuardedEngine implements Engine {
  private readonly engine: Engine;
  private readonly patienceSeconds: number;
  private reports: (report: Report) => void = () => undefined;
  /** What is wrong with the engine itself; null: nothing. */
  private fault: Unreachable | null = null;
  private known: readonly Machine[] = [];

  constructor(engine: Engine, patienceSeconds = PATIENCE_SECONDS) {
    this.engine = engine;
    this.patienceSeconds = patienceSeconds;
  }

  get capabilities(): Capabilities {
    return this.engine.capabilities;
  }

  /** The farm cannot be opened without the engine, so what this throws is not held back. */
  async open(reports: (report: Report) => void): Promise<void> {
    this.reports = reports;
    await this.engine.open(reports);
  }

  machines(): readonly Machine[] {
    this.command(() => (this.known = this.engine.machines()));
    return this.known;
  }

  start(request: StartRequest): void {
    this.command(() => this.engine.start(request));
  }

  suspend(id: AttemptId): void {
    this.command(() => this.engine.suspend(id));
  }

  resume(id: AttemptId): void {
    this.command(() => this.engine.resume(id));
  }

  end(id: AttemptId, graceSeconds: number): void {
    this.command(() => this.engine.end(id, graceSeconds));
  }

  async list(): Promise<Listing | Unreachable> {
    try {
      const listing = await this.inTime(this.engine.list());
      if (listing.kind === "listing" && this.fault !== null) {
        this.fault = null;
        this.reports({ kind: "reachable" });
      }
      return listing;
    } catch (error) {
      return this.failed(error);
    }
  }

  async forget(id: AttemptId): Promise<void> {
    await this.engine.forget(id);
  }

  async output(
    id: AttemptId,
    stream: "stdout" | "stderr",
    fromByte: number,
    limitBytes: number,
  ): Promise<Uint8Array | null> {
    return this.engine.output(id, stream, fromByte, limitBytes);
  }

  outputFile(id: AttemptId, stream: "stdout" | "stderr"): string | null {
    return this.engine.outputFile?.(id, stream) ?? null;
  }

  doing(id: AttemptId): Doing | null {
    return this.engine.doing?.(id) ?? null;
  }

  async close(): Promise<void> {
    try {
      await this.inTime(this.engine.close());
    } catch {
      // It holds nothing that the next engine on its folder does not find.
    }
    this.reports = () => undefined;
  }

  private command(command: () => void): void {
    try {
      command();
    } catch (error) {
      // The next comparison with what it lists tells it again.
      this.failed(error);
    }
  }

  private failed(error: unknown): Unreachable {
    const reason = `its engine has failed: ${error instanceof Error ? error.message : String(error)}`;
    this.fault ??= { kind: "unreachable", reason, sinceUnixSeconds: Date.now() / 1000 };
    this.reports(this.fault);
    return this.fault;
  }

  private async inTime<Result>(promise: Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`it has not answered for ${this.patienceSeconds} s`)),
        this.patienceSeconds * 1000,
      );
    });
    try {
      return await Promise.race([promise, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
