import type { Client } from "../../live/client/client.ts";
import { FarmError } from "../../live/client/farm-error.ts";
import { print } from "../terminal.ts";
import { frame } from "../live/watch.ts";
import { afterKey, keysIn } from "./keys.ts";
import { Pictures } from "./picture.ts";
import { filtered, screen, withinText, type Choice, type Picture, type Size } from "./screen.ts";

const REFRESH_MILLISECONDS = 2000;
/** Of what is no terminal, and of one that does not say. */
const SIZE: Size = { columns: 120, rows: 40 };
const START: Choice = { filter: "", isTyping: false, chosen: 0, why: null, whyFrom: 0 };
const [ENTER, LEAVE] = ["\u001b[?1049h\u001b[?25l", "\u001b[?25h\u001b[?1049l"];

/** Shows a farm on the terminal until somebody quits; where there is none, once. */
export async function top(farm: Client, filter: string): Promise<void> {
  const pictures = new Pictures(farm);
  const { stdin, stdout } = process;
  if (!stdout.isTTY || !stdin.isTTY) {
    const lines = screen(await pictures.next(), { ...START, filter }, SIZE);
    // There are no keys.
    return print(lines.slice(0, -1).join("\n"));
  }
  // Whatever is wrong at the start is told on the ordinary screen.
  const first = await pictures.next();
  stdout.write(ENTER);
  stdin.setRawMode(true);
  try {
    await new Showing(pictures, first, { ...START, filter }).untilQuit();
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
    stdout.write(LEAVE);
  }
}

class Showing {
  private readonly pictures: Pictures;
  private picture: Picture;
  private choice: Choice;
  /** Since when the farm does not answer, and what it said; null: it does. */
  private away: { readonly since: Date; readonly text: string } | null = null;

  constructor(pictures: Pictures, picture: Picture, choice: Choice) {
    this.pictures = pictures;
    this.picture = picture;
    this.choice = choice;
  }

  untilQuit(): Promise<void> {
    const { stdin, stdout } = process;
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const end = (error?: Error): void => {
        clearTimeout(timer);
        stdin.off("data", onData);
        stdout.off("resize", draw);
        for (const signal of ["SIGTERM", "SIGHUP"] as const) process.off(signal, quit);
        if (error === undefined) resolve();
        else reject(error);
      };
      const quit = (): void => end();
      const draw = (): void => this.draw();
      const onData = (data: Buffer): void => {
        for (const key of keysIn(data.toString("utf8"))) {
          const jobs = filtered(this.picture.jobs, this.choice.filter);
          const { choice, wish } = afterKey(this.choice, key, jobs.length);
          this.choice = withinText(this.picture, choice, this.size);
          if (wish === "quit") return end();
          const job = jobs[choice.chosen];
          if (wish === "why" && job !== undefined) void this.explain(job.number);
        }
        draw();
      };
      const again = (): void => {
        timer = setTimeout(() => {
          void this.refresh().then(() => {
            draw();
            again();
          }, end);
        }, REFRESH_MILLISECONDS);
      };
      stdin.on("data", onData);
      stdout.on("resize", draw);
      for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, quit);
      stdin.resume();
      draw();
      again();
    });
  }

  private async refresh(): Promise<void> {
    const chosen = filtered(this.picture.jobs, this.choice.filter)[this.choice.chosen];
    try {
      this.picture = await this.pictures.next();
      this.away = null;
    } catch (error) {
      if (!(error instanceof FarmError)) throw error;
      this.away ??= { since: new Date(), text: error.message };
      return;
    }
    // The chosen job stays chosen where others come and go.
    const jobs = filtered(this.picture.jobs, this.choice.filter);
    const at = jobs.findIndex(({ number }) => number === chosen?.number);
    const place = at >= 0 ? at : Math.max(0, Math.min(jobs.length - 1, this.choice.chosen));
    this.choice = { ...this.choice, chosen: place };
  }

  private async explain(job: number): Promise<void> {
    this.choice = { ...this.choice, why: [`job ${job}: the farm is asked …`], whyFrom: 0 };
    this.draw();
    let lines: string[];
    try {
      lines = await this.pictures.why(job);
    } catch (error) {
      lines = [error instanceof Error ? error.message : String(error)];
    }
    if (this.choice.why !== null) this.choice = { ...this.choice, why: lines };
    this.draw();
  }

  private get size(): Size {
    const { columns, rows } = process.stdout;
    return { columns: columns || SIZE.columns, rows: rows || SIZE.rows };
  }

  private draw(): void {
    const { stdout } = process;
    const { size } = this;
    const lines = screen(this.picture, this.choice, size);
    if (this.away !== null) {
      const { since, text } = this.away;
      lines[1] = `WRONG  the farm does not answer since ${since.toLocaleTimeString("en-GB")}: ${text}`;
    }
    stdout.write(frame(lines.join("\n"), size.columns, size.rows));
  }
}
