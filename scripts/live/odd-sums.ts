import type { Answer, OddRequest } from "./odd-requests.ts";
import { printTable } from "./table.ts";

/** Characters of a mistake. */
const PRINTED = 700;

/** What came of odd requests. */
export class OddSums {
  readonly wrong: string[] = [];
  readonly statuses = new Map<string, number>();
  readonly combinations = new Set<string>();
  requests = 0;
  bytes = 0;
  jobs = 0;
  restarts = 0;
  slowestHealthMs = 0;
  /** What was under way when `/health` took longest. */
  slowest = "";

  add({ route, method, fields, body }: OddRequest, { status }: Answer): void {
    const key = `${method} ${route}`;
    this.requests++;
    this.bytes += body?.length ?? 0;
    for (const each of [`${key}\t${status}`, `\t${status}`])
      this.statuses.set(each, (this.statuses.get(each) ?? 0) + 1);
    if (fields !== "") this.combinations.add(`${key} ${fields}`);
  }

  text(): string {
    const statuses = Array.from(this.statuses).filter(([key]) => key.startsWith("\t"));
    return (
      `${this.requests} requests, ${statuses.map(([key, times]) => `${times} ${key.trim()}`).join(", ")}; ` +
      `${this.combinations.size} combinations of fields, ${(this.bytes / 2 ** 20).toFixed(0)} MiB of bodies, ` +
      `${this.jobs} jobs, ${this.restarts} restarts; slowest /health ${this.slowestHealthMs.toFixed(0)} ms ` +
      `(under way: ${this.slowest}); ${this.wrong.length} mistakes`
    );
  }

  print(): void {
    const routes = [...new Set(Array.from(this.statuses.keys(), (key) => key.split("\t")[0]))].filter(
      Boolean,
    );
    const codes = [...new Set(Array.from(this.statuses.keys(), (key) => key.split("\t")[1]))].sort();
    const rows = routes
      .sort()
      .map((route) => [route, ...codes.map((code) => String(this.statuses.get(`${route}\t${code}`) ?? ""))]);
    printTable(["request", ...codes], rows);
  }

  printMistakes(most: number): void {
    console.log(this.text());
    const plain = (text: string): string =>
      text.replace(/[^ -~]/g, (odd) => JSON.stringify(odd).slice(1, -1));
    // The shortest requests say the most; of what went wrong otherwise there is little.
    const length = (text: string): number => (text.startsWith("part ") ? 0 : text.length);
    const shortest = this.wrong.toSorted((a, b) => length(a) - length(b)).slice(0, most);
    for (const each of shortest) console.log(plain(each).slice(0, PRINTED));
  }
}
