import { setFlagsFromString } from "node:v8";

/** A later Node.js may not know the flags below, and would say so at every start. */
const NEWEST_TRIED = 26;
const knowsFlags = Number.parseInt(process.versions.node, 10) <= NEWEST_TRIED;

/**
 * V8 optimises hot code on up to four threads, which on two cores take turns with the one that
 * simulates. Told to do so some seventy times later, when it is known what is worth it, EASY on the KTH log takes
 * 0.16 instead of 0.25 s, and GreedyPM on a trace of 1,000 jobs 0.05 instead of 0.07 s; runs of a second and longer
 * take as long as before. Later still they take longer: EASY on the Curie log 1.3 instead of 1.0 s.
 */
export function delayOptimisation(): void {
  if (!knowsFlags) return;
  setFlagsFromString("--invocation-count-for-turbofan=200000");
  setFlagsFromString("--invocation-count-for-osr=30000");
}

/** Compiles all functions of what it loads at once, and not each when it is first called. */
export async function compiledWhole<T>(load: () => Promise<T>): Promise<T> {
  if (!knowsFlags) return load();
  setFlagsFromString("--no-lazy");
  try {
    return await load();
  } finally {
    setFlagsFromString("--lazy");
  }
}
