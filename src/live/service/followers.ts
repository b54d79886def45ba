/** Requests that wait for something to happen: each looks again whenever something was written. */
export class Followers {
  readonly #looks = new Set<() => void>();

  /** To be called when something was written and is durable. */
  written(): void {
    for (const look of this.#looks) look();
  }

  /**
   * Resolves with what `find` finds, as soon as it finds something; with null when the time is over, or the client is
   * gone.
   */
  until<Found>(find: () => Found | null, seconds: number, gone: AbortSignal): Promise<Found | null> {
    const now = find();
    if (now !== null || seconds <= 0 || gone.aborted) return Promise.resolve(now);
    return new Promise((resolve) => {
      const end = (found: Found | null): void => {
        this.#looks.delete(look);
        clearTimeout(timer);
        gone.removeEventListener("abort", leave);
        resolve(found);
      };
      const look = (): void => {
        const found = find();
        if (found !== null) end(found);
      };
      const leave = (): void => end(null);
      const timer = setTimeout(() => end(find()), seconds * 1000);
      gone.addEventListener("abort", leave);
      this.#looks.add(look);
    });
  }

  get count(): number {
    return this.#looks.size;
  }
}
