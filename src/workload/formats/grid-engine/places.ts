import type { Fields } from "../../input/fields.ts";

/** The places of fields from 0, as in accounting(5), where no name has a colon. */
const NUMBER = 5;
const PRIORITY = 7;
const SLOTS = 34;
/** How far fields are from others, whatever stands before. */
const FROM_PRIORITY = { submission: 1, start: 2, end: 3, failed: 4, exit: 5, project: 24 } as const;
const FROM_SLOTS = { environment: -1, department: -2, task: 1, used: 2, category: 5 } as const;
/** The number of fields from the slots to `maxvmem`, the last that all versions have. */
const LEAST_AFTER_SLOTS = 9;
/** A category may have this many colons. */
const MOST_COLONS = 20;
/** In 1973: a smaller number is no time. */
const EARLIEST_SECONDS = 1e8;

const POINT = 46;

/**
 * Where the fields of a line are. Grid Engine does not escape colons, so that all fields behind a name with a colon in it
 * stand further back. They are found by the fields that are numbers and times: the priority with the times behind it, the
 * slots with the task and the resources used, and the number with a point behind the category.
 */
export class Places {
  /** -1 if no field is a job's number. */
  number = NUMBER;
  /** Whether another field could be the job's number as well. */
  isNumberOpen = false;
  account = 0;
  priority = 0;
  project = 0;
  projectEnd = 0;
  slots = 0;
  category = 0;
  categoryEnd = 0;
  /** Whether a name has colons. */
  areMoved = false;
  private lastNumber = Number.NaN;

  /** @returns false if there are no numbers and times in an order that the line could have */
  find(fields: Fields): boolean {
    this.priority = PRIORITY;
    while (!this.isPriority(fields)) if (++this.priority > fields.count - LEAST_AFTER_SLOTS) return false;
    const { priority } = this;
    this.slots = priority - PRIORITY + SLOTS;
    while (!this.isSlots(fields)) if (++this.slots + LEAST_AFTER_SLOTS > fields.count) return false;
    const { slots } = this;
    this.findNumber(fields);
    this.account = this.number === -1 ? priority - 1 : this.number + 1;
    this.project = priority + FROM_PRIORITY.project;
    this.projectEnd = Math.max(this.project, slots + FROM_SLOTS.department - 1);
    if (fields.is(this.project, "NONE")) this.projectEnd = this.project;
    this.category = slots + FROM_SLOTS.category;
    this.categoryEnd = endOfCategory(fields, this.category);
    this.areMoved = priority !== PRIORITY || slots !== SLOTS;
    return true;
  }

  get submission(): number {
    return this.priority + FROM_PRIORITY.submission;
  }

  get start(): number {
    return this.priority + FROM_PRIORITY.start;
  }

  get end(): number {
    return this.priority + FROM_PRIORITY.end;
  }

  get failed(): number {
    return this.priority + FROM_PRIORITY.failed;
  }

  get exitStatus(): number {
    return this.priority + FROM_PRIORITY.exit;
  }

  get environment(): number {
    return this.slots + FROM_SLOTS.environment;
  }

  get task(): number {
    return this.slots + FROM_SLOTS.task;
  }

  /** The task of a parallel job that the line is of. */
  get parallelTask(): number {
    return this.categoryEnd + 2;
  }

  private isPriority(fields: Fields): boolean {
    const { priority } = this;
    return (
      Number.isInteger(fields.number(priority)) &&
      isTime(fields.number(this.submission)) &&
      isTime(fields.number(this.start)) &&
      isTime(fields.number(this.end)) &&
      Number.isInteger(fields.number(this.failed)) &&
      Number.isInteger(fields.number(this.exitStatus))
    );
  }

  private isSlots(fields: Fields): boolean {
    const { slots } = this;
    if (!Number.isInteger(fields.number(slots)) || !Number.isInteger(fields.number(this.task))) return false;
    for (let field = slots + FROM_SLOTS.used; field < slots + FROM_SLOTS.category; field++)
      if (Number.isNaN(fields.number(field))) return false;
    return true;
  }

  /**
   * The job's number stands between its name and its account. If colons in these make several fields possible it is the
   * one nearest to the number of the line before, as numbers ascend.
   */
  private findNumber(fields: Fields): void {
    const { lastNumber } = this;
    let candidates = 0;
    this.number = -1;
    for (let field = this.priority - 2; field >= NUMBER; field--) {
      const number = fields.number(field);
      if (!Number.isInteger(number) || number < 1) continue;
      candidates++;
      const distance = Math.abs(number - lastNumber);
      const isNearer = this.number !== -1 && distance < Math.abs(fields.number(this.number) - lastNumber);
      if (this.number === -1 || isNearer) this.number = field;
    }
    this.isNumberOpen = candidates > 1;
    if (this.number !== -1) this.lastNumber = fields.number(this.number);
  }
}

/** 0 and -1 are times that have not come. */
function isTime(number: number): boolean {
  return number >= EARLIEST_SECONDS || number === 0 || number === -1;
}

/**
 * The last field of the category, which may contain colons (`-l h_rt=24:00:00`). What follows it is a number with a
 * decimal point, the time waited for input and output.
 */
function endOfCategory(fields: Fields, category: number): number {
  const last = Math.min(fields.count, category + 4 + MOST_COLONS) - 1;
  for (let field = category + 1; field < last; field++) {
    if (fields.includes(field, POINT) && !Number.isNaN(fields.number(field))) return field - 1;
  }
  return category;
}
