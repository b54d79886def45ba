/**
 * The tables of Stillwell's slides "Resource Allocation Using Virtual Machines" (2014),
 * as they are printed there. Our instances are made in the same way, and are not the same.
 */
export interface PublishedQuality {
  readonly algorithm: string;
  readonly dfbMean: number;
  readonly dfb90: number;
  readonly relativeDfbMean: number;
  readonly relativeDfb90: number;
  readonly failureRate: number;
}

function row(
  algorithm: string,
  dfbMean: number,
  relativePercent: number,
  dfb90: number,
  relative90Percent: number,
  failurePercent: number,
): PublishedQuality {
  return {
    algorithm,
    dfbMean,
    dfb90,
    relativeDfbMean: relativePercent / 100,
    relativeDfb90: relative90Percent / 100,
    failureRate: failurePercent / 100,
  };
}

/** "Vector-packing algorithms". */
export const publishedPacking: readonly PublishedQuality[] = [
  row("greedy-light", 0.16, 31.49, 0.35, 56.25, 8.16),
  row("greedy", 0.16, 30.07, 0.34, 61.01, 7.73),
  row("vp-pp-ratio", 0.08, 14.54, 0.17, 28.32, 15.81),
  row("vp-pp-dif", 0.08, 13.67, 0.16, 21.1, 15.35),
  row("vp-ff-lex", 0.07, 12.85, 0.15, 27.86, 15.45),
  row("vp-pp-max", 0.07, 13.08, 0.15, 26.67, 14.99),
  row("vp-pp-sum", 0.07, 12.84, 0.15, 26.39, 14.93),
  row("vp-cp-ratio", 0.07, 11.09, 0.14, 21.21, 11.45),
  row("vp-bf-lex", 0.06, 12.15, 0.14, 27.1, 13.75),
  row("vp-cp-dif", 0.06, 10.19, 0.12, 21.1, 8.7),
  row("vp-cp-max", 0.05, 10.1, 0.11, 20.6, 8.43),
  row("vp-cp-sum", 0.05, 9.92, 0.11, 20.4, 8.2),
  row("vp-bf-max", 0.04, 11.39, 0.11, 29.4, 8.48),
  row("vp-ff-max", 0.04, 11.26, 0.11, 29.33, 8.33),
  row("vp-bf-sum", 0.04, 10.95, 0.1, 28.72, 7.91),
  row("vp-ff-sum", 0.04, 10.95, 0.1, 28.4, 7.91),
];

/** "LP-based algorithms 1/2", over 48,600 instances. */
export const publishedRounding: readonly PublishedQuality[] = [
  row("rrnd", 0.58, 78.33, 0.86, 98.52, 66.56),
  row("rrndnz", 0.58, 77.95, 0.89, 98.28, 22.02),
  row("fast-diving", 0.6, 75.03, 0.84, 94.39, 78.02),
  row("slow-diving", 0.57, 72.75, 0.81, 93.6, 77.92),
  row("greedy", 0.21, 29.17, 0.38, 51.49, 7.5),
];

/**
 * Seconds by number of services: "LP-based algorithms 2/2", on 64 hosts, and for 100, 250
 * and 500 services "Run Times", on a Xeon of 2.27 GHz.
 */
export const publishedSeconds: Readonly<Record<string, Readonly<Record<number, number>>>> = {
  rrnd: { 128: 16.3, 256: 61.7, 512: 255.44 },
  rrndnz: { 100: 4.855, 128: 16.74, 250: 45.782, 256: 61.15, 500: 270.245, 512: 250.83 },
  "fast-diving": { 128: 32.42, 256: 113.89, 512: 416.32 },
  "slow-diving": { 128: 382.58, 256: 1771.35, 512: 6704.79 },
  greedy: { 128: 0.05, 256: 0.1, 512: 0.24 },
  "meta-greedy": { 100: 0.014, 250: 0.061, 500: 0.154 },
  "meta-vp": { 100: 0.142, 250: 0.564, 500: 1.715 },
  "meta-hvp": { 100: 0.514, 250: 1.943, 500: 6.432 },
};
