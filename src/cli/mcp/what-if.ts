import { spawn } from "node:child_process";

import { InputError } from "../../workload/errors.ts";
import type { Given, Tool } from "./tools.ts";

/** What a command printed, and whether it did what it was to do. */
export interface Ran {
  readonly isRight: boolean;
  readonly out: string;
  readonly said: string;
}

/** Runs `croft` with these words. */
export type RunCroft = (words: readonly string[]) => Promise<Ran>;

/** Longer pasts are asked for with `croft whatif`, which may take as long as it likes. */
const MOST_DAYS = 90;
const DAYS = 30;
const MOST_SECONDS = 120;
const MOST_MEMORY_MIB = 2048;
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_NAMES = 4;
/** Lines of what is remarked of the runs. */
const MOST_REMARKS = 30;

const names = (description: string): object => ({
  type: "string",
  // No path: what could name a program's file is not passed on.
  pattern: "^[A-Za-z0-9][A-Za-z0-9:/-]*(,[A-Za-z0-9][A-Za-z0-9:/-]*)*$",
  maxLength: 300,
  "x-form": "names with commas between them, such as easy,conservative",
  description,
});

/**
 * Tries policies on the farm's past. It needs the farm's files, and so the right to read them: what jobs a token may see
 * does not matter to it.
 *
 * @param data the farm's data folder, or a backup
 */
export function whatIfTool(data: string, run: RunCroft): Tool {
  let isTrying = false;
  return {
    name: "what_if",
    description:
      "What other policies, strategies, routing or more machines would have made of the farm's own past: waits and use, first as it was. Takes up to two minutes, one at a time. Ask `croft policies` for names. `verdict` says whether anything can be concluded. Nothing is changed.",
    properties: {
      policy: names("policies to try, such as easy,conservative"),
      strategy: names("what is done for suspended and stuck jobs, such as NoRes,ResSusUtil"),
      routing: names("how virtual pools choose a pool, such as utilization"),
      addMachines: {
        type: "string",
        pattern: "^[^,=\\s-][^,=]{0,199}=[1-9][0-9]{0,5}$|^[1-9][0-9]{0,5}$",
        maxLength: 210,
        "x-form": "a number of machines, with the pool's name before it where there are several: north=10",
        description: "so many machines more, like those that there are: north=10",
      },
      sinceDays: {
        type: "integer",
        minimum: 1,
        maximum: MOST_DAYS,
        description: `only what happened in the last days (${DAYS})`,
      },
    },
    async ask(_, given) {
      const words = wordsOf(data, given);
      if (isTrying) throw new InputError("what_if: one is tried already: ask again when it is done");
      isTrying = true;
      try {
        const { isRight, out, said } = await run(words);
        const remarks = said.split("\n").filter((line) => line !== "");
        if (!isRight) throw new InputError((remarks.at(-1) ?? "it failed").replace(/^croft: /, "what_if: "));
        return answerOf(JSON.parse(out) as Tried, remarks.slice(0, MOST_REMARKS));
      } finally {
        isTrying = false;
      }
    },
  };
}

function wordsOf(data: string, given: Given): string[] {
  const { policy, strategy, routing, addMachines, sinceDays = DAYS } = given;
  for (const [field, text] of Object.entries({ policy, strategy }))
    if (String(text ?? "").split(",").length > MOST_NAMES)
      throw new InputError(`what_if: ${field}: give at most ${MOST_NAMES} at a time`);
  const options = { policy, strategy, routing, "add-machines": addMachines, since: `${sinceDays}d`, data };
  return [
    "whatif",
    "--json",
    "--quiet",
    "--threads=1",
    "--resample=0",
    ...Object.entries(options).flatMap(([option, text]) =>
      text === undefined ? [] : [`--${option}=${text}`],
    ),
  ];
}

/** Of what `croft whatif --json` prints. */
interface Tried {
  readonly verdict: { readonly sentence: string };
  readonly workload: { readonly jobs: number; readonly spanSeconds: number };
  readonly runs: readonly Readonly<Record<string, unknown>>[];
  readonly history: object;
}

const FIGURES = [
  "policy",
  "strategy",
  "routing",
  "offeredLoad",
  "jobs",
  "rejected",
  "waitMeanSeconds",
  "waitMedianSeconds",
  "waitP95Seconds",
  "waitMaxSeconds",
  "boundedSlowdownMean",
  "coreUtilizationMean",
  "suspensions",
  "moves",
  "lostJobs",
];

function answerOf({ verdict, workload, runs, history }: Tried, remarks: readonly string[]): object {
  return {
    verdict: verdict.sentence,
    jobs: workload.jobs,
    spanSeconds: workload.spanSeconds,
    runs: runs.map((run) => Object.fromEntries(FIGURES.map((figure) => [figure, run[figure]]))),
    remarks,
    history,
  };
}

/** This program, once more: in a process of its own it can be ended, and takes no more memory than it may. */
export const runCroft: RunCroft = (words) =>
  new Promise((resolve, reject) => {
    const limits = [`--max-old-space-size=${MOST_MEMORY_MIB}`];
    const child = spawn(process.execPath, [...limits, process.argv[1]!, ...words], {
      stdio: ["ignore", "pipe", "pipe"],
      timeout: MOST_SECONDS * 1000,
      killSignal: "SIGKILL",
    });
    const texts = { out: "", said: "" };
    const take = (which: "out" | "said") => (part: string) => {
      texts[which] += part;
      if (texts[which].length > MOST_BYTES) child.kill("SIGKILL");
    };
    child.stdout.setEncoding("utf8").on("data", take("out"));
    child.stderr.setEncoding("utf8").on("data", take("said"));
    child.on("error", reject);
    child.on("close", (status, signal) => {
      if (signal !== null)
        texts.said += `\ncroft: it took longer than ${MOST_SECONDS} s, or too much memory: ask of fewer days with sinceDays, or run croft whatif`;
      resolve({ isRight: status === 0, ...texts });
    });
  });
