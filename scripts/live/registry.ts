import { asSimulated } from "./as-simulated.ts";
import { histories } from "./histories.ts";
import { hostile } from "./hostile.ts";
import { kills } from "./kills.ts";
import { weeks } from "./weeks.ts";
import type { Trial } from "./trial.ts";

export const trials: readonly Trial[] = [kills, histories, hostile, weeks, asSimulated];
