export type * from "./input.ts";
export { CYCLES_SETTING } from "./input.ts";
export { renderReport, reportFigures } from "./report.ts";
export type { Figure, FigureData } from "./figures/figure.ts";
export { figurePdf } from "./figures/pdf.ts";
export { standaloneSvg } from "./figures/standalone.ts";
export { csvText, resultData, resultLatex } from "./figures/tables.ts";
export { renderTable } from "./table.ts";
export { renderVerdict } from "./verdict-text.ts";
export { verdictOf, verdictsOf } from "./model.ts";
export { renderPackingTable } from "./packing-table.ts";
export { renderFarmPage } from "./farm/page.ts";
export { chosenFrames, framesNear } from "./farm/chosen.ts";
export { farmSvg } from "./farm/frame-svg.ts";
export { slotStates } from "./farm/states.ts";
export { chooseBaseline, headlineLoad, tabulate } from "./runs.ts";
export { packingName } from "./runs.ts";
export { machinesMissing } from "./recorded-cautions.ts";
export { isStartLatency, limitsUnseen } from "./unseen.ts";
export { hardlyWaits } from "./wait-verdict.ts";
export { AS_BELIEVED, type BusyQueue, type Trial, type Trials } from "./trials.ts";
export { judge } from "./verdict.ts";
export type { Basis, Verdict } from "./verdict.ts";
export {
  counted,
  formatChange,
  formatChangeRange,
  formatCount,
  formatDuration,
  formatFactor,
  formatMemory,
  formatMilliseconds,
  formatNumber,
  formatPercent,
  formatShare,
  terminalText,
} from "./numbers.ts";
export { brokenPromiseLines } from "./broken-promises.ts";
export { renderFailuresTable } from "./failures-table.ts";
export { renderFarmTable } from "./farm-table.ts";
export type { SweepInput, SweepRow } from "./sweep/sweep-input.ts";
export { ratiosOf, sweepMeasures } from "./sweep/ratios.ts";
export { renderSweepPage } from "./sweep/sweep-page.ts";
export { renderSweepTable, sweepData } from "./sweep/sweep-table.ts";
