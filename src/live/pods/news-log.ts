const FIRST_SECONDS = 60;
const LONGEST_SECONDS = 3600;

/** Lines of a log about something that goes on: each is said once, then at distances that grow, until it is over. */
export class NewsLog {
  private readonly log: (text: string) => void;
  private readonly now: () => number;
  /** By cause: when it is said next, and after how long. */
  private readonly said = new Map<string, { next: number; seconds: number }>();

  constructor(log: (text: string) => void, now: () => number) {
    this.log = log;
    this.now = now;
  }

  /** @param cause lines that have the same one are the same news */
  say(line: string, cause = line): void {
    const now = this.now();
    const said = this.said.get(cause);
    if (said !== undefined && now < said.next) return;
    const seconds = said === undefined ? FIRST_SECONDS : Math.min(LONGEST_SECONDS, said.seconds * 2);
    this.said.set(cause, { next: now + seconds, seconds });
    this.log(line);
  }

  hasSaid(cause: string): boolean {
    return this.said.has(cause);
  }

  /** What is said from now on is new. */
  over(): void {
    this.said.clear();
  }
}
