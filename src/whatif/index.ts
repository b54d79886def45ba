export { CARRIED_SECONDS, outagesOn, readHistory, type History, type HistoryCounts } from "./history.ts";
export { openPast } from "./open-past.ts";
export { replayPast, type ReplayCheck, type Replayed } from "./replay.ts";
export { withFeedback } from "./feedback.ts";
