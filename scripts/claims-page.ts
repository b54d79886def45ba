import { aloneText, type JudgedClaim } from "../src/research/study/index.ts";

/** Whether a study's synthetic input was set by the figures that a claim is about. */
export type Basis = "fitted" | "predicted";

/** A study whose claims the page gathers. */
export interface ClaimsPart {
  /** Also the name of the folder of its results. */
  readonly name: string;
  readonly paper: string;
  /** What it was run on. */
  readonly on: string;
  /** The arguments of `croft study`. */
  readonly arguments: readonly string[];
  /** Of the claims that do not say it themselves. */
  readonly basis: Basis;
}

/** A judged claim, as `results.json` has it. */
export interface StoredClaim extends JudgedClaim {
  readonly figures?: Basis;
}

const shai = "Shai 2014, and Shai and others 2013";

const pools = ["a", "b", "c", "d"].flatMap((letter): ClaimsPart[] => {
  const on = `netbatch-${letter}, synthetic`;
  const workload = `netbatch-${letter}`;
  return [
    {
      name: `characterise-${letter}`,
      paper: shai,
      on,
      arguments: ["characterise", workload],
      basis: "fitted",
    },
    {
      name: `buckets-${letter}`,
      paper: shai,
      on,
      arguments: ["buckets", workload],
      basis: "predicted",
    },
    {
      name: `load-${letter}`,
      paper: shai,
      on,
      arguments: ["load", workload, ...underLoad(letter)],
      basis: "predicted",
    },
  ];
});

/** Pool A, about which most of the claims are, by its whole month at one load, which takes ten minutes. */
function underLoad(letter: string): readonly string[] {
  return letter === "a"
    ? ["--beta", "1", "--load", "0.9"]
    : ["--jobs", "1000000", "--beta", "1", "--load", "0.8,0.9,1.0"];
}

/** Every study that judges claims. Those of Zhang 2010 say of each claim whether it was fitted. */
export const claimsParts: readonly ClaimsPart[] = [
  {
    name: "rescheduling",
    paper: "Zhang 2010",
    on: "netbatch-week, synthetic",
    arguments: ["rescheduling", "--jobs", "31000", "--seeds", "5"],
    basis: "predicted",
  },
  ...pools.sort((a, b) => order(a.name) - order(b.name)),
  {
    name: "fractional",
    paper: "Stillwell 2014",
    on: "synthetic instances",
    arguments: ["fractional"],
    basis: "predicted",
  },
  {
    name: "online",
    paper: "Stillwell 2014",
    on: "Lublin's model, synthetic",
    arguments: ["online", "--traces", "4"],
    basis: "predicted",
  },
  {
    name: "packing",
    paper: "Dal Pra 2014",
    on: "accounting, synthetic",
    arguments: ["packing"],
    basis: "predicted",
  },
];

/**
 * Whether results were made by a part's command. Where they were written, with how many threads and how quietly,
 * makes no difference.
 */
export function isMadeBy(command: string, part: ClaimsPart): boolean {
  const plain = command.replaceAll(/ --(?:out|threads) \S+/g, "").replaceAll(/ --quiet\b/g, "");
  return plain === `croft study ${part.arguments.join(" ")}`;
}

function order(name: string): number {
  return ["characterise", "buckets", "load"].findIndex((study) => name.startsWith(study));
}

/** Claims that no study judges, with the reason. */
const notJudged: readonly (readonly [paper: string, claim: string, reason: string])[] = [
  [
    "Zhang 2010",
    "the simulator's results agree with the real platform (section 3.1)",
    "not testable: the platform and its trace are Intel's",
  ],
  [
    "Zhang 2010",
    "virtual machines cost these jobs too much (section 2)",
    "not testable by simulation; a chapter of the study asks from which slowdown on they do",
  ],
  [
    shai,
    "pool B has the most intense bursts of memory and the largest part of jobs of 4 GB (section 6)",
    "it compares pools whose jobs were set here by other figures",
  ],
  [shai, "pool C's bursts of memory are relatively steady (section 3.2)", "no figure says what that is"],
  [
    "Zhang 2010",
    "the mean time suspended falls to 82 and 86 min, 20 % are suspended over 1,100 min, waste under high load falls by 6 %, ResSusUtil is better on all metrics, waiting jobs restart far more often, other time windows give the same (sections 2.2, 3.2, 3.3)",
    "the first four are in the study's tables and figures; the others are not counted by it",
  ],
  [
    shai,
    "worse-fit-cores leads by less on pools B, C and D than on A (section 3.3); mix-fit is chosen more often by Max-Jobs than it wins buckets (section 6)",
    "they compare studies; the shares are in the tables above (worse-fit-cores leads most on C here)",
  ],
  [
    "Stillwell 2014",
    "max-min yield does slightly better than average yield (slides)",
    "the study takes max-min yield; `/OPT=AVG` varies it",
  ],
  [
    "Stillwell 2014",
    "VP_CPSUM is the algorithm of choice (slides)",
    "a judgement, not a figure; what it rests on is among the claims above",
  ],
  [
    "Stillwell 2014",
    "a minimum virtual time of 600 s does slightly better than 300 s (slides, Limiting Migration)",
    "the study takes 600 s throughout; `croft simulate --mvt` varies it",
  ],
  ["Stillwell 2014", "how long the solvers take", "not testable: other machines and solvers"],
];

/**
 * `docs/claims.md`, from the claims of the parts that have been made.
 *
 * @param claimsOf the claims of a part; null: it has not been made
 */
export function claimsPage(claimsOf: (part: ClaimsPart) => readonly StoredClaim[] | null): string {
  const papers = [...new Set(claimsParts.map(({ paper }) => paper))];
  const sections = papers.map((paper) => {
    const parts = claimsParts.filter((part) => part.paper === paper);
    return { paper, parts: parts.map((part) => ({ part, claims: claimsOf(part) })) };
  });
  return [
    "<!-- Made by scripts/make-claims.ts from the results of the studies; do not edit. -->",
    "",
    "# The papers' claims",
    "",
    "Claims of the five papers, put to the experiments that Croft makes again; [those that are not](#not-judged) stand at the end. The logs of the papers are not at hand: all that is below was run on **synthetic** input. So a claim that holds is plausible, and one that does not hold is not refuted; only the logs could do that. What the words of a claim mean in figures is in `src/research/study/claims/tolerances.ts`, the same everywhere. Which figures an audit changed: [before and after](before-and-after.md). What came out beside the claims, and why some do not hold: [studies](studies.md), [packing](packing.md#the-study), [fractional scheduling](fractional-online.md#the-study).",
    "",
    "**fitted**: the synthetic input was set so that the figures the claim is about come out; that the claim holds is a check of the input. **predicted**: it was not, though the figures of Zhang's Tables 3 to 5 were seen while the others were fitted. **holds**: by the figure itself, whatever its interval; of Stillwell's vector packings and roundings, only where the interval is clear of the border. **cannot be judged**: these runs cannot tell, and the figures say why.",
    "",
    "**Interval and parts**: the figure that decides with its interval of 95 % confidence, by leaving out one part of the input after the other (the jackknife, on the logarithms of ratios), and in how many parts alone the claim holds. Parts are the synthetic weeks, tenths of a log's jobs, or traces; a tenth without a queue cannot tell. Tenths of a log are not independent: where a queue lasts for days, as on pool A, the interval is too narrow. Claims about the most extreme bucket or load, and about Max-Jobs' choices, which are counted over whole runs, have no interval; nor have constructed sequences, in which nothing is drawn. Of a claim with two conditions it is that of the first. Where there is a dash, the interval is among the figures, or there is none.",
    "",
    ...table([
      [
        "paper",
        "claims",
        "hold",
        "in all parts alone",
        "do not hold",
        "in no part alone",
        "cannot be judged",
      ],
      ...sections.map(({ paper, parts }) => {
        const told = parts.flatMap(({ claims }) => claims ?? []).filter(isMeant);
        const count = (holds: boolean | null): string =>
          String(told.filter((claim) => claim.holds === holds).length);
        const inParts = (holds: boolean): string =>
          String(
            told.filter(
              (claim) =>
                claim.holds === holds &&
                claim.alone !== undefined &&
                claim.alone.holding === (holds ? claim.alone.judged : 0),
            ).length,
          );
        return [
          paper,
          String(told.length),
          count(true),
          inParts(true),
          count(false),
          inParts(false),
          count(null),
        ];
      }),
    ]),
    "",
    "A claim about several workloads counts once for each.",
    "",
    ...sections.flatMap(({ paper, parts }) => [
      `## ${paper}`,
      "",
      ...parts.flatMap(({ part, claims }) => [
        `### ${part.on}: \`croft study ${part.arguments.join(" ")}\``,
        "",
        ...(claims === null ? ["Not made yet."] : claimsTable(claims.filter(isMeant), part.basis)),
        "",
      ]),
    ]),
    "## Not judged",
    "",
    ...table([["paper", "claim", "why"], ...notJudged]),
    "",
  ].join("\n");
}

function claimsTable(claims: readonly StoredClaim[], basis: Basis): string[] {
  return table([
    ["claim", "here", "fitted?", "figures", "interval and parts"],
    ...claims.map(({ claim, source, holds, evidence, figures, alone }) => [
      `${claim} (${source})`,
      holds === null ? "cannot be judged" : holds ? "holds" : "does not hold",
      figures ?? basis,
      evidence.replace(/\.$/, ""),
      alone === undefined ? "–" : aloneText(alone),
    ]),
  ]);
}

/** Not a claim about a particular other pool, which is listed beside every pool. */
function isMeant({ evidence }: StoredClaim): boolean {
  return !/^said of pools? .*, not of this workload$/.test(evidence);
}

function table(rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("*/", "\\*/")).join(" | ")} |`;
  const [head, ...rest] = rows as [readonly string[], ...(readonly string[])[]];
  return [line(head), line(head.map(() => "---")), ...rest.map(line)];
}
