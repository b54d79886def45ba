import type { RunResult } from "../simulation/result.ts";
import { loserOf } from "./losers.ts";
import { meanWait, wastedTime } from "./metrics.ts";
import type { ReportModel } from "./model.ts";
import { isNowhere } from "./next-sentence.ts";
import { formatChange, formatChangeRange, formatDuration } from "./numbers.ts";
import { AS_IT_WAS, isContradicted, isFollowed } from "./reference.ts";
import { isOwnPace, type Verdict } from "./verdict.ts";
import { daysText, silenceText } from "./silence-text.ts";
import { isNoBetter, underText } from "./wait-verdict.ts";

/** An answer to one of the questions of who decides. */
export interface Tile {
  readonly question: string;
  /** A few words or a figure. */
  readonly answer: string;
  /** What the answer becomes, where it is a figure that changes. */
  readonly becomes?: string;
  readonly note: string;
  /** Whether a gain is claimed. */
  readonly isGain?: boolean;
}

/** What to do about the policy, in a few words. */
export function decisionOf({ verdict, input }: ReportModel): string {
  const { best, reference, ranked, standing, waits, hasVerdict, measure } = verdict;
  if (!hasVerdict) return "No verdict on this log";
  const { next } = input;
  if (next?.there != null)
    return next.assumed === undefined ? `Keep ${best}` : `Keep ${best}, if that is what the farm runs`;
  if (next?.assumed !== undefined && standing !== "shorter" && standing !== "nothing to win")
    return next.assumed.nearer === undefined
      ? "Find out first what the farm runs"
      : `Say first whether the farm runs ${next.assumed.nearer}`;
  switch (standing) {
    case "shorter":
      if (next !== undefined && isNowhere(next.systems))
        return `${best} would be better, but ${next.own === undefined ? "no batch system known here does" : `${next.own} does not do`} it`;
      if (next?.withoutLimits !== undefined) return `Give jobs limits first, then try ${best}`;
      if (reference.policy === AS_IT_WAS) return `Try ${best}`;
      return `Try ${best} instead of ${reference.policy}${isContradicted(reference, input.fidelity) ? `, if the farm runs ${reference.policy} as simulated` : ""}`;
    case "nothing to win":
      return "Change nothing: hardly any job waits";
    case "longer":
      return "Keep what you have: no policy that was run is better";
    case "no clear difference":
      return "Change nothing for this alone";
    default:
      break;
  }
  if (ranked.length === 1) return `Only ${best} was run`;
  const read = ranked.map(({ run }) => measure.format(measure.value(run) ?? Number.NaN));
  if (new Set(read).size === 1) return "Change nothing: the policies are equal";
  if (best === reference.policy)
    return reference.kind === "first" ? `${best} is the best of those run` : `Keep ${best}`;
  return waits === null ? `${best} looks best` : "Change nothing on this log alone";
}

/** What a manager asks, in the order of asking; none where there is no verdict. */
export function tilesOf(model: ReportModel): Tile[] {
  return model.verdict.hasVerdict ? [change(model), losers(model.verdict), sureness(model)] : [];
}

function change({ verdict, input }: ReportModel): Tile {
  const { measure, best, reference, ranked, waits, standing } = verdict;
  const figureOf = (policy: string): number | null => {
    const run = measure === meanWait && policy === reference.policy ? reference.run : undefined;
    return measure.value(run ?? ranked.find((row) => row.policy === policy)!.run);
  };
  const text = (policy: string): string => measure.format(figureOf(policy) ?? Number.NaN);
  // What jobs waited, where that is not what is compared: a gain may be larger than all that was waited.
  const was =
    reference.kind !== "record" &&
    input.recorded !== undefined &&
    measure === meanWait &&
    isOwnPace(ranked[0]!.run)
      ? ` As recorded: ${formatDuration(input.recorded.waitMeanSeconds)}.`
      : "";
  if (best === reference.policy || isNothingBetter(verdict))
    return {
      question: measure.title,
      answer: text(reference.policy),
      note: `${capital(underText(reference))}${ranked.length > 1 ? "; no policy that was run is better" : ""}.${was}`,
    };
  const expected = waits?.expected ?? null;
  const needsLimits = input.next?.withoutLimits !== undefined;
  const isGain = standing === "shorter" && !needsLimits;
  return {
    question: measure.title,
    answer: text(reference.policy),
    becomes: text(best),
    note: `${capital(underText(reference))}, and under ${best}${needsLimits ? " once jobs have limits" : ""}.${isGain && expected?.interval != null ? ` Expected over months like this: ${formatChange(expected.change)}.` : ""}${was}`,
    isGain,
  };
}

function isNothingBetter({ waits, best, ranked, reference }: Verdict): boolean {
  return waits !== null && isNoBetter({ best: ranked.find(({ policy }) => policy === best)!, reference });
}

function losers(verdict: Verdict): Tile {
  const question = "Who loses most";
  const { gains, best, reference } = verdict;
  if (best === reference.policy || isNothingBetter(verdict))
    return { question, answer: "Nobody", note: "Nothing would change for anybody." };
  if (gains === null) return interruptedLosers(verdict, question);
  const longest = `The longest wait of all: ${formatDuration(gains.longestBeforeSeconds)}, then ${formatDuration(gains.longestAfterSeconds)}.`;
  const loser = loserOf(gains);
  if (loser !== null) {
    const { name, part, others, of, kind } = loser;
    const factor =
      part.beforeSeconds > 0 ? ` (${formatChange(part.afterSeconds / part.beforeSeconds - 1)})` : "";
    const more = others === 0 ? "" : `; longer too for ${others} more of ${of} ${kind}`;
    return {
      question,
      answer: capital(name),
      note: `Mean wait ${formatDuration(part.beforeSeconds)}, then ${formatDuration(part.afterSeconds)}${factor}${more}. ${longest}`,
    };
  }
  const kinds = gains.kinds.map(({ kind }) => kind);
  return kinds.length === 0
    ? { question, answer: "Not known", note: `The log names nobody. ${longest}` }
    : {
        question,
        answer: "Nobody clearly",
        note: `None of the ${kinds.join(", ")} waits clearly longer. ${longest}`,
      };
}

/** Where jobs are suspended: of the groups, priorities and pools the one that wastes most more time. */
function interruptedLosers({ measure, ranked, best, baseline }: Verdict, question: string): Tile {
  const unknown = {
    question,
    answer: "Not known",
    note: "Users are compared by waits only, and waits do not tell all here.",
  };
  if (measure !== wastedTime) return unknown;
  const [before, after] = [baseline, best].map((name) =>
    wastedByPart(ranked.find(({ policy }) => policy === name)!.run),
  );
  const parts = [...after!].flatMap(([name, is]) => {
    const was = before!.get(name);
    return was === undefined ? [] : [{ name, was, is }];
  });
  if (parts.length === 0) return unknown;
  const worst = parts.reduce((one, other) => (other.is - other.was > one.is - one.was ? other : one));
  return worst.is <= worst.was
    ? { question, answer: "Nobody", note: "No group, priority or pool wastes more time on average." }
    : {
        question,
        answer: capital(worst.name),
        note: `Mean wasted time ${formatDuration(worst.was)}, then ${formatDuration(worst.is)}.`,
      };
}

/** Mean wasted seconds by group, priority and pool. */
function wastedByPart({ byGroup = [], byPriority = [], byPool = [] }: RunResult): Map<string, number> {
  const parts = [
    ...byGroup.map((part) => [`group ${part.group === "" ? "(none)" : part.group}`, part] as const),
    ...byPriority.map((part) => [`priority ${part.priority}`, part] as const),
    ...byPool.map((part) => [`pool ${part.pool}`, part] as const),
  ];
  return new Map(
    parts.flatMap(([name, { wastedMeanMinutes }]): [string, number][] =>
      wastedMeanMinutes === null ? [] : [[name, wastedMeanMinutes * 60]],
    ),
  );
}

function sureness({ verdict, input }: ReportModel): Tile {
  const { waits, best, reference, standing } = verdict;
  const isFar = input.fidelity !== undefined && !isFollowed(input.fidelity);
  const but = [
    ...(input.workload.synthetic ? ["the workload is synthetic"] : []),
    ...(input.machineUse?.isInferred === true ? ["the machines are inferred from the log"] : []),
    ...(isFar ? ["the simulation does not follow the record"] : []),
  ];
  const { assumed } = input.next ?? {};
  const { answer, note } =
    assumed === undefined || standing === "shorter" || best === reference.policy
      ? judged(verdict)
      : {
          answer: "Cannot be said",
          note: `The comparison is with ${assumed.policy}, which is assumed to have run and does not follow the record.`,
        };
  const compared = waits?.againstBaseline.find(({ policy }) => policy === best);
  const told = compared?.silence != null ? `${capital(silenceText(compared.silence, waits!.days))}.` : note;
  const isOnlySimulated = isFar && standing === "shorter" && reference.kind !== "record";
  return {
    question: "How sure",
    answer: isOnlySimulated ? `${answer}, in simulation` : answer,
    note: `${told}${but.length === 0 ? "" : ` ${answer === "Cannot be said" ? "Besides," : "But"} ${but.join(", and ")}.`}`,
  };
}

function judged({ waits, figure, ranked, best, reference, standing }: Verdict): {
  answer: string;
  note: string;
} {
  if (waits === null) return judgedByFigure(figure);
  if (standing === "nothing to win")
    return { answer: "Sure", note: `Over ${daysText(waits.days)} of submissions.` };
  if (best === reference.policy) {
    if (ranked.length === 1)
      return { answer: "Cannot be said", note: "No other policy was run to compare it with." };
    const longer = waits.againstBaseline.filter(({ judgement }) => judgement === "longer").length;
    const all = waits.againstBaseline.length;
    const alike = waits.againstBaseline.filter(({ judgement }) => judgement !== "longer");
    const silent = waits.againstBaseline.find(({ judgement }) => judgement === "cannot be judged")?.silence;
    return silent == null
      ? {
          answer:
            longer === all
              ? "Clear, beyond chance"
              : alike.length === 1
                ? `${alike[0]!.policy} may be as good`
                : "Others may be as good",
          note: `${longer === all ? "All others are" : longer === 0 ? "None of the others is" : `${longer} of the ${all} others ${longer === 1 ? "is" : "are"}`} clearly worse (95 % confidence).`,
        }
      : { answer: "Cannot be said", note: `${capital(silenceText(silent, waits.days))}.` };
  }
  const { expected } = waits;
  const range = expected?.interval ?? null;
  const note =
    range === null
      ? ""
      : `95 % confidence: ${formatChangeRange(range.low, range.high)} over months like this${expected?.nextMonth == null ? "" : `; the next month alone ${formatChangeRange(expected.nextMonth.low, expected.nextMonth.high)}`}.`;
  switch (standing) {
    case "shorter":
      return { answer: range === null ? "Clear, but not by how much" : "Clear, beyond chance", note };
    case "longer":
      return { answer: "Clear, beyond chance", note };
    case "no clear difference":
      return { answer: "May be chance", note };
    default:
      return { answer: "Cannot be said", note };
  }
}

function judgedByFigure(figure: Verdict["figure"]): { answer: string; note: string } {
  if (figure === null)
    return { answer: "Cannot be said", note: "One log, and a figure without an interval." };
  const { judgement, interval, nextMonth } = figure;
  if (interval === null || nextMonth === null)
    return {
      answer: judgement === "cannot be judged" ? "Cannot be said" : "Clear, but not by how much",
      note: "One log does not tell more: the notes say why.",
    };
  return {
    answer: judgement === "no clear difference" ? "May be chance" : "Clear, beyond chance",
    note: `95 % confidence: ${formatChangeRange(interval.low, interval.high)} over months like this; the next month alone ${formatChangeRange(nextMonth.low, nextMonth.high)}.`,
  };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
