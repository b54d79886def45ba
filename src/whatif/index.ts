export { CARRIED_SECONDS, outagesOn, readHistory, type History, type HistoryCounts } from "./history.ts";
export { openPast } from "./open-past.ts";
export { replayPast, type ReplayCheck, type Replayed } from "./replay.ts";
export { withFeedback } from "./feedback.ts";
export { fits, type Fits, type Wanted } from "./fits.ts";
export { readPresent, type Present } from "./present.ts";
export { tryReload, type Evicted, type ReloadTrial, type Start } from "./try-reload.ts";
