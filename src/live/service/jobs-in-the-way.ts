import { InputError } from "../../workload/index.ts";

/** A farm's file cannot be taken while a job is where it is, or has what it has. What to do with the job is said. */
export class JobsInTheWay extends InputError {
  /** The same to whoever starts a farm: none is there yet that could do anything with the job. */
  atStart(): InputError {
    return new InputError(`${this.message}; for that start the farm with its file as it was`);
  }
}
