/**
 * How urgent a job is. The inverse is computed, so that a job without virtual
 * time, whose priority is infinite, has 0: the higher, the sooner it is paused.
 */
export interface Priority {
  readonly name: string;
  /** As in `/PRIO=VT`: VT is virtual time, FT flow time. */
  readonly word: string;
  /** @param virtual, flow milliseconds of virtual time, and since submission */
  inverse(virtual: number, flow: number): number;
}

/** Every priority; the first is the default (Stillwell 2014, "Priority"). */
export const priorities: readonly Priority[] = [
  // Whole numbers, so that jobs that have hardly run are ties, which go by arrival.
  {
    name: "flow/virtual^2",
    word: "FT-VT2",
    inverse: (virtual, flow) => (flow === 0 ? 0 : Math.floor((virtual * virtual) / flow)),
  },
  { name: "flow/virtual", word: "FT-VT", inverse: (virtual, flow) => (flow === 0 ? 0 : virtual / flow) },
  { name: "1/virtual", word: "VT", inverse: (virtual) => virtual },
];
