export { ArrivalModel, type Arrival } from "./arrivals.ts";
export { batchOf, Calibration } from "./calibration.ts";
export { Course } from "./course.ts";
export type { Coming, CourseParts, CourseWatch, Run } from "./course-parts.ts";
export type { HeldJob, LimitedArray } from "./holds.ts";
export {
  asItStands,
  asRequested,
  CHECK_WORK,
  expectedSeconds,
  likeThePast,
  runAhead,
  type Budget,
  type Limits,
  type Moment,
  type Past,
  type Possible,
} from "./forecast.ts";
export { MEDIAN, middle, quantilesOf, SHARES, valueAt } from "./quantiles.ts";
export { ENOUGH_JOBS, NOBODY, RunTimeModel, type JobTraits } from "./run-times.ts";
export { mean, median, scoresOf, type Scored, type Scores } from "./scores.ts";
export { drawOf } from "./draws.ts";
