/**
 * Stands for the death of the service's process within this one: what an engine can do to the world
 * goes through here, and ends at a chosen step. From then on nothing it does has an effect, and nothing
 * it waits for comes.
 */
export class Lifeline {
  private steps = 0;
  private isCut = false;
  private readonly diesAt: number;

  /** Step 2n is the moment before the effect with number n, 2n + 1 the one after it. */
  constructor(diesAt = Infinity) {
    this.diesAt = diesAt;
  }

  get isDead(): boolean {
    return this.isCut;
  }

  die(): void {
    this.isCut = true;
  }

  /** An object whose methods are effects: those that return nothing at once are `sync`. */
  effects<Target extends object>(target: Target, sync: readonly (keyof Target)[] = []): Target {
    return this.wrapped(target, (name, call) =>
      sync.includes(name as keyof Target) ? this.now(call) : this.later(call),
    );
  }

  /** An object that is only asked: it answers until the end. */
  questions<Target extends object>(target: Target): Target {
    return this.wrapped(target, (_, call) => {
      const answer = call();
      return answer instanceof Promise ? this.whileAlive(answer) : answer;
    });
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
    if (this.steps++ >= this.diesAt) this.isCut = true;
    return this.isCut;
  }
}
