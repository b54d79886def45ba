import { ENOUGH_JOBS } from "../../forecast/run-times.ts";
import type { JobForecast, StartForecast } from "../../live/forecasting/start-forecast.ts";
import { START_FAILED, stateText } from "../../live/store/job-states.ts";
import { formatCapacity, formatCount } from "../../report/numbers.ts";
import { printable } from "./printable.ts";
import { local, withLocalTimes } from "./local-time.ts";

/** Of fewer than these there is no interval to tell. */
const FEW_FUTURES = 4;

/**
 * When a job starts, in words.
 *
 * @param now the farm's time, in milliseconds
 * @param tells "times": what it waits for, and who is ahead, is told elsewhere
 */
export function whenText(
  { job, state, reason, startedAt, lastStartAt, forecast }: JobForecast,
  now: number,
  tells: "all" | "times" = "all",
): string {
  const name = job === null ? "Such a job" : `Job ${job}`;
  if (job === null && forecast === null) return `${name} cannot be forecast: ${printable(reason)}.`;
  const why = reason === "" ? "" : `: ${withLocalTimes(printable(reason))}`;
  const isHeld = (state === "held" || job === null) && /^(until|waits for) /.test(reason);
  const held = isHeld ? sentence(`${name} ${heldText(reason, job !== null, now)}`) : "";
  if (forecast !== null)
    return [
      held,
      forecastText({ job, forecast, isHeld }, name, now, tells),
      ...(forecast.assumed === "" || forecast.never !== null
        ? []
        : [
            `This takes for granted that ${printable(forecast.assumed)}; otherwise it starts later or is cancelled.`,
          ]),
      ...failureText(reason, tells),
      ...deadlineText(lastStartAt, forecast, now),
    ]
      .join("\n")
      .trim();
  if (isHeld) return `${held} There is no forecast of it yet: ask again.`;
  switch (state) {
    case "waiting":
      return `${name} waits, and there is no forecast of it yet: ask again.`;
    case "held":
      return `${name} is held${why}. It does not start before it is released${job === null ? "" : ` (croft release ${job})`}.`;
    case "rejected":
      return `${name} was rejected, and never starts${why}.`;
    case "starting":
      return `${name} has its machines, and is being started there.`;
    case "running":
      return `${name} has started${startedAt === null ? "" : `: ${clockOf(startedAt, now)}`}.`;
    case "suspended":
      return `${name} has started, and is suspended${why}. When it goes on is not forecast.`;
    default:
      return `${name} ${state === null ? "is over" : stateText(state)}${why}.`;
  }
}

/** Ends with a full stop. */
function sentence(text: string): string {
  return text.endsWith("…") ? text : `${text}.`;
}

/** For what a job is held that is released by itself. */
function heldText(reason: string, isSubmitted: boolean, now: number): string {
  if (reason.startsWith("until "))
    return `${isSubmitted ? "is" : "would be"} held until ${clockOf(reason.slice("until ".length), now)}`;
  return isSubmitted ? printable(reason) : printable(reason).replace(/^waits/, "would wait");
}

/** A forecast goes by machines, and what refuses a job may be something else, such as a quota of a cluster. */
function failureText(reason: string, tells: "all" | "times"): string[] {
  if (!reason.startsWith(START_FAILED)) return [];
  if (tells === "times") return ["The forecast knows nothing of why its last start failed."];
  return [`${sentenceOf(printable(reason))}. The forecast knows nothing of that.`];
}

/** With a capital letter. */
export function sentenceOf(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** What its deadline makes of a forecast, which is of a job that waits for as long as it takes. */
function deadlineText(
  lastStartAt: string | null,
  { within80: { from, to }, never, isNow }: StartForecast,
  now: number,
): string[] {
  if (lastStartAt === null || never !== null || isNow) return [];
  const last = Date.parse(lastStartAt);
  const rule = `Its deadline leaves it until ${clockOf(lastStartAt, now)} to start, and then it is cancelled`;
  if (from === null || Date.parse(from) > last) return [`${rule}: most likely that is what happens.`];
  return [to === null || Date.parse(to) > last ? `${rule}: it may come to that.` : `${rule}.`];
}

function forecastText(
  {
    job,
    forecast,
    isHeld,
  }: { readonly job: number | null; readonly forecast: StartForecast; readonly isHeld: boolean },
  name: string,
  now: number,
  tells: "all" | "times",
): string {
  const isSubmitted = job !== null;
  const { never, isNow, jobsAhead, coreHoursAhead, isRough, isCutShort, pastJobs } = forecast;
  if (never !== null) return `${name} never starts as the farm is at present: ${printable(never)}.`;
  // Of one that is not submitted it is not known before where it would go.
  const where = isSubmitted || forecast.pool === null ? "" : ` in pool ${printable(forecast.pool)}`;
  const lines = [
    isNow ? `${name} starts now${where}.` : `${name} starts${where} ${startText(forecast, now)}.`,
  ];
  if (!isNow && tells === "all") {
    const hours =
      coreHoursAhead < 0.1
        ? "less than 0.1"
        : coreHoursAhead < 10
          ? String(Math.round(10 * coreHoursAhead) / 10)
          : formatCount(coreHoursAhead);
    const ahead =
      jobsAhead === 0
        ? "no job is ahead of it"
        : `${formatCount(jobsAhead)} ${jobsAhead === 1 ? "job is" : "jobs are"} ahead, expected to take ${hours} core-hours`;
    const { limits } = forecast;
    // A job above a limit waits however free the machines are.
    if (limits.length > 0) lines.push(`It would be ${printable(limits.join(", and "))}.`);
    // Nobody knows what will be ahead of one that is held.
    lines.push(
      isHeld
        ? `Then it needs ${askedText(forecast)}.`
        : `${limits.length > 0 ? "Once it would not be, it needs" : "It waits for"} ${askedText(forecast)}; ${ahead}.`,
    );
  }
  if (isCutShort)
    lines.push(
      "This is rough: most of the futures that were looked at ended before it starts, and go on here at the pace of the queue.",
    );
  else if (isRough)
    lines.push(
      `This is rough: how long jobs run is learnt from those that have ended, with a time limit and without apart, and of one of these kinds among the jobs here ${pastJobs === 0 ? "none has ended" : pastJobs === 1 ? "only 1 has" : `only ${pastJobs} have`} (${ENOUGH_JOBS} are enough).`,
    );
  return lines.map((line) => line.replaceAll("\u00a0", " ")).join("\n");
}

/** Stands before a time in a table that is not to be relied on. */
const ROUGH = "~";

/** For a table: `14:10 - 15:25`; empty where there is nothing to say. */
export function startsShortly(forecast: StartForecast | null | undefined, now: number): string {
  if (forecast === null || forecast === undefined) return "";
  if (forecast.never !== null) return "never";
  if (forecast.isNow) return "now";
  const { from, to } = forecast.within80;
  if (from === null) return "not foreseen";
  const rough = forecast.isRough ? ROUGH : "";
  const isNear = isNearTo(from, now) && (to === null || isNearTo(to, now));
  const [first, last] = [from, to ?? from].map((time) => clockOf(notOver(time, now), now, isNear));
  if (to === null) return `${rough}after ${first}`;
  return rough + (first === last ? first : `${first} - ${last}`);
}

function startText({ within80, startsAt, futures }: StartForecast, now: number): string {
  const { from, to } = within80;
  // In one sentence either all times have seconds or none has.
  const isNear = [from, to, startsAt].every((time) => time === null || isNearTo(time, now));
  const clock = (time: string): string => clockOf(notOver(time, now), now, isNear);
  if (startsAt !== null && futures < FEW_FUTURES) return `around ${clock(startsAt)}`;
  if (from === null) return "later than can be foreseen";
  // Where the times are the same as they are shown there is no interval to tell.
  if (to !== null && startsAt !== null && clock(from) === clock(to)) return `at about ${clock(startsAt)}`;
  const likely = startsAt === null ? "" : `, most likely at ${clock(startsAt)}`;
  return to === null
    ? `at ${clock(from)} or later (90 %)${likely}`
    : `between ${clock(from)} and ${clock(to)} (80 %)${likely}`;
}

function askedText({ cores, memoryMiB, gpus, licences }: StartForecast): string {
  const memory = memoryMiB === 0 ? "" : ` and ${formatCapacity(memoryMiB)}`;
  const gpu = gpus === 0 ? "" : ` and ${gpus} ${gpus === 1 ? "GPU" : "GPUs"}`;
  return `a machine with ${cores} free ${cores === 1 ? "core" : "cores"}${memory}${gpu}${licencesText(licences)}`;
}

function licencesText(licences: string): string {
  if (licences === "") return "";
  const asked = licences.split(",").map((each) => {
    const [name = "", count = "1"] = each.split("=");
    return `${count.trim()} of the licence ${printable(name.trim())}`;
  });
  return `, and for ${asked.join(" and ")}`;
}

/** A forecast is some seconds old: what it says of times that are over is now. */
function notOver(time: string, now: number): string {
  return new Date(Math.max(Date.parse(time), now)).toISOString();
}

/** The time of the day, with the date where that is another one. */
function clockOf(time: string, now: number, hasSeconds = isNearTo(time, now)): string {
  const [date, hours] = local(new Date(time).toISOString()).split(" ") as [string, string];
  const shown = hasSeconds ? hours : hours.slice(0, 5);
  return date === local(new Date(now).toISOString()).split(" ")[0] ? shown : `${date} ${shown}`;
}

/** In what is near, seconds matter. */
function isNearTo(time: string, now: number): boolean {
  return Math.abs(Date.parse(time) - now) < NEAR_MILLISECONDS;
}

const NEAR_MILLISECONDS = 10 * 60_000;
