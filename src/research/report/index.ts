export type * from "./input.ts";
export { chapterTable, chapterTables, verdictNote } from "./chapter-tables.ts";
export { fractionalCurves, fractionalTables } from "./fractional-tables.ts";
export { renderLoadPage } from "./load-page.ts";
export { priorityCaption, priorityTable } from "./priority-table.ts";
export { renderReschedulingPage } from "./rescheduling-page.ts";
export { sensitivityTables, weekSensitivityTable } from "./sensitivity-tables.ts";
export { renderStudyPage } from "./study-page.ts";
