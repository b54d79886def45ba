/** Soft limits of a process, as `ulimit -S` sets them. Null: unlimited. */
export type SoftLimits = Readonly<Partial<Record<SoftLimit, number | null>>>;

export type SoftLimit = keyof typeof softLimits;

/** How `ulimit` and /proc call each, and in what it counts. Shells differ in how they call that of processes. */
export const softLimits = {
  coreBytes: { option: "c", unit: 512, title: "Max core file size" },
  cpuSeconds: { option: "t", unit: 1, title: "Max cpu time" },
  dataBytes: { option: "d", unit: 1024, title: "Max data size" },
  fileBytes: { option: "f", unit: 512, title: "Max file size" },
  openFiles: { option: "n", unit: 1, title: "Max open files" },
  stackBytes: { option: "s", unit: 1024, title: "Max stack size" },
  addressBytes: { option: "v", unit: 1024, title: "Max address space" },
} as const satisfies Record<
  string,
  { readonly option: string; readonly unit: number; readonly title: string }
>;

export const softLimitNames = Object.keys(softLimits) as SoftLimit[];
