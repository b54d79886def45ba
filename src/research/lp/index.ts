export type { LpAlgorithm, LpOptions, LpOutcome } from "./algorithm.ts";
export { contenderList, contenderNames, findContender, type Contender, type Outcome } from "./contenders.ts";
export { OPTIMAL_GAP } from "./milp.ts";
export { findLpAlgorithm, lpAlgorithms } from "./registry.ts";
export { tooLarge } from "./size.ts";
export { loadSolver, type LpSolver } from "./solver.ts";
