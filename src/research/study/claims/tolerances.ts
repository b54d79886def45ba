/**
 * What the thesis's words mean in figures.
 *
 * Its results are bar and line charts without a table, so words such as "similar" were read off a picture. The limits
 * below are ours: what such a chart shows as no difference, and twice that for a difference that is plainly visible.
 * Between the two, neither word holds.
 */

/** Shares of wins this close are "little between", "similar", "slightly" or "narrowly" apart: 5 points of percent. */
export const SIMILAR_SHARE = 0.05;
/** Shares of wins this far apart are "clearly", "significantly" or "markedly" so. */
export const CLEAR_SHARE = 2 * SIMILAR_SHARE;

/** Means this close, as a part of the smaller one, are "equal", "essentially the same" or "near-best". */
export const EQUAL_MEANS = 0.05;
/** Mean waits this close are equal however short they are: log and clock count whole seconds. */
export const EQUAL_WAIT_SECONDS = 1;
/** A mean this far above the best, as a part of it, is "poor"; this far below all others, it "leads". */
export const CLEAR_MEANS = 2 * EQUAL_MEANS;

/** A packing index of so much is "satisfactory" or "good", and below half of that it is "poor". */
export const GOOD_PACKING = 0.5;
/** Packing indices this close "look very similar" on a picture of the farm. */
export const SIMILAR_PACKING = 0.1;
/** A loss is "around 1 %" if it rounds to it. */
export const AROUND_ONE_PERCENT = [0.005, 0.015] as const;
/** A fill factor this close to 0.9 is "about 0.9". */
export const ABOUT_FILL = 0.05;

/** "The vast majority" of the jobs, and "mostly". */
export const VAST_MAJORITY = 0.8;
export const MOST = 0.5;
/** A bucket bursts where its average is this many times the average of all buckets. */
export const BURST = 1.5;
/** Bursts are "intense" or "high" from this many times the average on, and demand "particularly low" below its inverse. */
export const INTENSE = 2;
/** Bursts are "sparse" where at most this share of the buckets has one. */
export const SPARSE = 0.05;
/** "Virtually no bursts of jobs requiring more than one core": no bucket's average is above this. */
export const VIRTUALLY_ONE_CORE = 1.1;

/** "Almost doubled": Zhang's own figure is 1.74 times. */
export const ALMOST_DOUBLE = 1.7;

// What the words of Stillwell's slides (2014) mean. Its tables have figures; the limits
// leave them room.

/** "Up to twice as often": 15.81 % against 7.73 % is a little more. */
export const UP_TO_TWICE = 2.1;
/** As good, in yields and shares: the tables have two decimals. */
export const AS_GOOD = 0.005;
/** "Far behind": the average distance from the best is at least this many times the other's. */
export const FAR_BEHIND = 2;
/** "Only 4 % higher": on average over the small instances, rounded. */
export const BOUND_NEAR_OPTIMAL = 0.045;
/** "Orders of magnitude": two of them. */
export const ORDERS_OF_MAGNITUDE = 100;
/** "Among the best": at every load within this factor of the lowest degradation, which spans orders of magnitude. */
export const AMONG_BEST = 2;
/** "About the same" degradation under two priorities, and "poorly" beyond that: a quarter either way. */
export const ABOUT_THE_SAME = 0.25;
/** "Reasonable" bandwidth, in GB/s for a cluster of 128 nodes: the slides' largest mean of pauses and moves is 1.1. */
export const LIGHT_BANDWIDTH = 2;
