import type { System } from "../engine-kind.ts";
import type { Clock } from "./clock.ts";
import type { Commands } from "./commands.ts";
import type { Disk } from "./disk.ts";

/**
 * Stands for the death of the service's process within this one: what an engine can do to the world
 * goes through here, and ends at a chosen step. From then on nothing it does has an effect, and nothing
 * it waits for comes.
 */
export class Lifeline {
  private steps = 0;
  private isCut = false;
  private readonly ends: (() => void)[] = [];
  private readonly diesAt: number;

  /** Step 2n is the moment before the effect with number n, 2n + 1 the one after it. */
  constructor(diesAt = Infinity) {
    this.diesAt = diesAt;
  }

  /** The system's small interfaces, each cut off at the same moment. */
  system(clock: Clock, disk: Disk, commands: Commands): Pick<System, "clock" | "disk" | "commands"> {
    return {
      clock: this.answers(clock),
      disk: this.effects(disk, { answers: ["read", "list"], sync: [] }),
      commands: this.effects(commands, { answers: [], sync: [] }),
    };
  }

  get isDead(): boolean {
    return this.isCut;
  }

  die(): void {
    if (this.isCut) return;
    this.isCut = true;
    for (const call of this.ends) call();
  }

  /** What the death of a process does to others. */
  atEnd(call: () => void): void {
    this.ends.push(call);
  }

  /**
   * An object whose methods have effects, but for those that only answer. Effects that are done when the
   * call returns, and return nothing, are `sync`.
   */
  effects<Target extends object>(
    target: Target,
    { answers, sync }: Readonly<Record<"answers" | "sync", readonly (keyof Target)[]>>,
  ): Target {
    return this.wrapped(target, (name, call) => {
      const method = name as keyof Target;
      return answers.includes(method)
        ? this.answer(call)
        : sync.includes(method)
          ? this.now(call)
          : this.later(call);
    });
  }

  /** An object that only answers. */
  answers<Target extends object>(target: Target): Target {
    return this.wrapped(target, (_, call) => this.answer(call));
  }

  /** A function that calls back: nothing is called after the end. */
  callback<Args extends unknown[]>(call: (...args: Args) => void): (...args: Args) => void {
    return (...args) => {
      if (!this.isCut) call(...args);
    };
  }

  private wrapped<Target extends object>(
    target: Target,
    around: (name: string | symbol, call: () => unknown) => unknown,
  ): Target {
    return new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function") return member;
        return (...args: unknown[]) =>
          around(
            name,
            () =>
              Reflect.apply(
                member,
                target,
                args.map((arg) => this.silenced(arg)),
              ) as unknown,
          );
      },
    });
  }

  /** What is handed over to be called later is not called after the end. */
  private silenced(arg: unknown): unknown {
    return typeof arg === "function" ? this.callback(arg as (...args: unknown[]) => void) : arg;
  }

  private answer(call: () => unknown): unknown {
    const answer = call();
    return answer instanceof Promise ? this.whileAlive(answer) : answer;
  }

  private now(call: () => unknown): unknown {
    if (this.step()) return undefined;
    const result = call();
    this.step();
    return result;
  }

  private async later(call: () => unknown): Promise<unknown> {
    if (this.step()) return new Promise(() => undefined);
    const result = await this.whileAlive(call());
    if (this.step()) return new Promise(() => undefined);
    return result;
  }

  private async whileAlive(result: unknown): Promise<unknown> {
    try {
      const value = await result;
      return this.isCut ? await new Promise(() => undefined) : value;
    } catch (error) {
      if (this.isCut) return new Promise(() => undefined);
      throw error;
    }
  }

  /** True where this is the end, or it has been. */
  private step(): boolean {
    if (this.steps++ >= this.diesAt) this.die();
    return this.isCut;
  }
}
