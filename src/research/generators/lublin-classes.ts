/** The parameters of one class of jobs in the model of Lublin and Feitelson (2003). */
export interface LublinClass {
  readonly serialPart: number;
  readonly powerOfTwoPart: number;
  /** The two uniform stages of the logarithm of the size, and the probability of the first. */
  readonly sizeLow: number;
  readonly sizeMiddle: number;
  readonly sizeHigh: number;
  readonly firstStage: number;
  /** Shape and scale of the two gamma distributions of the logarithm of the run time. */
  readonly short: readonly [shape: number, scale: number];
  readonly long: readonly [shape: number, scale: number];
  /** The probability that a run time is of the first distribution: a linear function of the size. */
  readonly shortSlope: number;
  readonly shortOffset: number;
  /** The distribution of the logarithm of the time between arrivals. */
  readonly arrival: readonly [shape: number, scale: number];
  /** The distribution of arrivals over the half hours of the day. */
  readonly daily: readonly [shape: number, scale: number];
  /** The ratio of the whole day's arrivals to those of the rush hour. */
  readonly rushToDay: number;
}

export const batch: LublinClass = {
  serialPart: 0.2927,
  powerOfTwoPart: 0.6686,
  sizeLow: 1.2,
  sizeMiddle: 5,
  sizeHigh: 7,
  firstStage: 0.875,
  short: [6.57, 0.823],
  long: [639.1, 0.0156],
  shortSlope: -0.003,
  shortOffset: 0.6986,
  arrival: [6.0415, 0.8531],
  daily: [6.1271, 5.274],
  rushToDay: 1.0519,
};

export const interactive: LublinClass = {
  serialPart: 0.1541,
  powerOfTwoPart: 0.625,
  sizeLow: 1,
  sizeMiddle: 3,
  sizeHigh: 5.5,
  firstStage: 0.705,
  short: [3.8351, 0.6605],
  long: [7.073, 0.6856],
  shortSlope: -0.0118,
  shortOffset: 0.9156,
  arrival: [6.551, 0.6621],
  daily: [8.9186, 3.668],
  rushToDay: 0.9797,
};

/** One class, for a log that does not distinguish them. */
export const typeless: LublinClass = {
  serialPart: 0.244,
  powerOfTwoPart: 0.576,
  sizeLow: 0.8,
  sizeMiddle: 4.5,
  sizeHigh: 7,
  firstStage: 0.86,
  short: [4.2, 0.94],
  long: [312, 0.03],
  shortSlope: -0.0054,
  shortOffset: 0.78,
  arrival: [10.2303, 0.4871],
  daily: [8.1737, 3.9631],
  rushToDay: 1.0225,
};
