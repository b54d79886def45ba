/** Why a request is refused, in words for the person who made it. Nothing was changed. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: RefusalStatus;

  /**
   * @param status as HTTP has it: 403 not allowed, 404 not found, 409 conflict with the present state, 422
   * impossible, 429 too many at a time, 503 not now
   */
  constructor(status: RefusalStatus, message: string) {
    super(message);
    this.status = status;
  }
}

export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 422 | 429 | 503;

/** The names that there are, for a message. */
export function listed(names: readonly string[]): string {
  return names.length === 0 ? "the farm has none" : `there are ${names.slice(0, 20).join(", ")}`;
}
