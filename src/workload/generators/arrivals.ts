import { Random } from "../random.ts";
import { LogQuantiles } from "./quantiles.ts";

const hoursPerDay = 24;
const minutesPerHour = 60;
const dayOfWeekShare = [1.06, 1.06, 0.85, 0.85, 1.06, 1.06, 1.06]; // from a Thursday, as the logs

/**
 * The jobs in each hour of the day, relative to the mean. Nearly flat: pool D's busiest hour has 1.28 times the mean,
 * most of which comes about by chance when hours burst as below.
 */
const hourOfDayShare = [
  0.94, 0.93, 0.92, 0.92, 0.92, 0.93, 0.95, 0.97, 1.0, 1.03, 1.05, 1.07, 1.08, 1.08, 1.08, 1.07, 1.06, 1.05,
  1.03, 1.01, 0.99, 0.97, 0.96, 0.95,
];

/**
 * The jobs in an hour, relative to what its time of day suggests: pool D's busiest has 7.3 times the mean, variance
 * 0.84.
 */
const hourBurst = new LogQuantiles([
  [0, 0.12],
  [0.25, 0.42],
  [0.5, 0.68],
  [0.75, 1.1],
  [0.9, 1.9],
  [0.97, 3.3],
  [0.99, 4.8],
  [1, 9],
]);

/** The jobs in a minute, relative to its hour's mean. */
const minuteBurst = new LogQuantiles([
  [0, 0.2],
  [0.5, 0.75],
  [0.9, 1.7],
  [0.99, 2.6],
  [1, 4],
]);

/**
 * The number of jobs that arrive in each minute, day after day: a daily and a weekly cycle, and bursts of hours and of
 * minutes. A week has seven times `jobsPerDay`.
 *
 * The numbers are whole: what is left of a minute's share is carried on to the next.
 */
export function* jobsPerMinute(jobsPerDay: number, random: Random): Generator<number> {
  let due = 0;
  let given = 0;
  for (let day = 0; ; day++) {
    const hours = normalised(hourOfDayShare.map((share) => share * hourBurst.at(random.unit())));
    const ofDay = jobsPerDay * dayOfWeekShare[day % 7]!;
    for (let hour = 0; hour < hoursPerDay; hour++) {
      const minutes = normalised(Array.from({ length: minutesPerHour }, () => minuteBurst.at(random.unit())));
      for (const minute of minutes) {
        due += ofDay * hours[hour]! * minute;
        const jobs = Math.floor(due) - given;
        given += jobs;
        yield jobs;
      }
    }
  }
}

function normalised(weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}
