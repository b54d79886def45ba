export type * from "./input.ts";
export { renderReport } from "./report.ts";
export { renderStudyPage } from "./study-page.ts";
export { renderReschedulingPage } from "./rescheduling-page.ts";
export { renderTable } from "./table.ts";
export { renderVerdict } from "./verdict-text.ts";
export { verdictOf } from "./model.ts";
export { renderPackingTable } from "./packing-table.ts";
export { renderFarmPage } from "./farm/page.ts";
export { chosenFrames, framesNear } from "./farm/chosen.ts";
export { farmSvg } from "./farm/frame-svg.ts";
export { slotStates } from "./farm/states.ts";
export { chooseBaseline, headlineLoad, tabulate } from "./runs.ts";
export { packingName } from "./runs.ts";
export { hardlyWaits } from "./wait-verdict.ts";
export type { Trials } from "./trials.ts";
export { judge } from "./verdict.ts";
export type { Basis, Verdict } from "./verdict.ts";
export {
  counted,
  formatChange,
  formatCount,
  formatDuration,
  formatMemory,
  formatMilliseconds,
  formatNumber,
  formatPercent,
  formatShare,
  terminalText,
} from "./numbers.ts";
export { priorityCaption, priorityTable } from "./priority-table.ts";
export { sensitivityTables, weekSensitivityTable } from "./sensitivity-tables.ts";
export { chapterTable, chapterTables, verdictNote } from "./chapter-tables.ts";
export { fractionalCurves, fractionalTables } from "./fractional-tables.ts";
export { renderFailuresTable } from "./failures-table.ts";
export { renderFarmTable } from "./farm-table.ts";
