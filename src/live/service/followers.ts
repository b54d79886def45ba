import { Refusal } from "../refusal.ts";

/** Requests that wait for something to happen: each looks again whenever something was written. */
export class Followers {
  private readonly looks = new Set<() => void>();
  private readonly stops = new Set<() => void>();
  private isStopping = false;

  /** To be called when something was written and is durable. */
  wake(): void {
    for (const look of this.looks) look();
  }

  /**
   * Resolves with what `find` finds, as soon as it finds something; with null when the time is over, or the client is
   * gone.
   *
   * @throws Refusal when the farm stops
   */
  until<Found>(find: () => Found | null, seconds: number, gone: AbortSignal): Promise<Found | null> {
    if (this.isStopping) return Promise.reject(stopping());
    const now = find();
    if (now !== null || seconds <= 0 || gone.aborted) return Promise.resolve(now);
    return new Promise((resolve, reject) => {
      const forget = (): void => {
        this.looks.delete(look);
        this.stops.delete(stop);
        clearTimeout(timer);
        gone.removeEventListener("abort", leave);
      };
      const end = (found: Found | null): void => {
        forget();
        resolve(found);
      };
      const stop = (): void => {
        forget();
        reject(stopping());
      };
      const look = (): void => {
        const found = find();
        if (found !== null) end(found);
      };
      const leave = (): void => end(null);
      const timer = setTimeout(() => end(find()), seconds * 1000);
      gone.addEventListener("abort", leave);
      this.looks.add(look);
      this.stops.add(stop);
    });
  }

  /** The farm stops: those that wait are told so, and so are those that come after them. */
  stop(): void {
    this.isStopping = true;
    for (const stop of this.stops) stop();
  }

  get count(): number {
    return this.looks.size;
  }
}

function stopping(): Refusal {
  return new Refusal(503, "the farm is stopping: jobs run on, ask again when it serves");
}
