import { formatCount, formatDuration } from "../../report/index.ts";
import type { SimulationProgress } from "../../simulation/index.ts";
import { StatusLine } from "../terminal.ts";

/** Says how far the runs are, how fast they go and how long they will take. */
export class ProgressLine {
  private readonly line: StatusLine;
  private readonly startedAt = performance.now();

  constructor(quiet: boolean) {
    this.line = new StatusLine(quiet);
  }

  show({ jobsSubmitted, jobs, runsDone, runs }: SimulationProgress): void {
    const seconds = (performance.now() - this.startedAt) / 1000;
    const rate = jobsSubmitted / seconds;
    const left = rate > 0 ? `, ${timeText((jobs - jobsSubmitted) / rate)} left` : "";
    const done = `${formatCount(jobsSubmitted)} of ${formatCount(jobs)} jobs`;
    this.line.show(
      `${done}, ${formatCount(Math.round(rate))} jobs/s${left}; ${runsDone} of ${runs} runs done`,
    );
  }

  clear(): void {
    this.line.clear();
  }
}

function timeText(seconds: number): string {
  return seconds < 60 ? `${Math.ceil(seconds)} s` : formatDuration(seconds);
}
