/** When an algorithm of many solves has to end. */
export class Deadline {
  private readonly endMilliseconds: number;

  constructor(seconds: number) {
    this.endMilliseconds = performance.now() + seconds * 1000;
  }

  get leftSeconds(): number {
    return Math.max(0, (this.endMilliseconds - performance.now()) / 1000);
  }
}
