/** Why an act of a person is not done, in words for that person. It has changed nothing. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: RefusalStatus;

  /**
   * @param status as HTTP has it: 403 not allowed, 404 not there, 409 it does not fit how things stand, 422 it cannot
   *   be done at all, 429 too much at a time, 503 not now
   */
  constructor(status: RefusalStatus, message: string) {
    super(message);
    this.status = status;
  }
}

export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 422 | 429 | 503;
