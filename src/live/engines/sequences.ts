/** Tasks of a key run one after another, those of different keys side by side. */
export class Sequences {
  private readonly last = new Map<string, Promise<void>>();
  private readonly failed: (error: unknown) => void;

  /** @param failed told of what a task throws; the next one runs all the same */
  constructor(failed: (error: unknown) => void) {
    this.failed = failed;
  }

  run(key: string, task: () => Promise<void>): Promise<void> {
    const turn = (this.last.get(key) ?? Promise.resolve()).then(task).catch(this.failed);
    this.last.set(key, turn);
    void turn.then(() => {
      if (this.last.get(key) === turn) this.last.delete(key);
    });
    return turn;
  }

  /** Whether no task of a key is under way. */
  isIdle(key: string): boolean {
    return !this.last.has(key);
  }

  /** Resolves once all tasks given so far have run. */
  async idle(): Promise<void> {
    await Promise.all(this.last.values());
  }
}
