/** What the projects of a share tree use, or have used: what fair share serves them by. */
export interface ProjectUse {
  /** A cycle begins. */
  cycle(now: number): void;
  /** A pass begins. */
  begin(): void;
  /** A job was placed in the pass. */
  placed(job: number): void;
  /** A job takes its resources, or gives them back. */
  started(job: number, now: number): void;
  finished(job: number, now: number): void;
  /** What is used below a node in the pass ÷ its share. The child with the least comes first. */
  ratio(node: number): number;
}
