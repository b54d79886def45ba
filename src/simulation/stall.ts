/** A run that cannot go on: jobs wait, and nothing will happen any more that could start them. */
export class Stall extends Error {
  override readonly name = "Stall";
}
