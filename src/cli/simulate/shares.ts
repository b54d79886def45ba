import { readFile, stat } from "node:fs/promises";

import type { UseMeasure } from "../../core/index.ts";
import type { SimulationSettings } from "../../simulation/index.ts";
import { farmDefaults, InputError } from "../../workload/index.ts";

/** The largest list of shares that is read. */
const MAX_BYTES = 1 << 24;

/** The options of fair share; absent: not given. */
export interface FairShareFlags {
  readonly fairShare?: "running" | "usage";
  readonly halfLife?: number;
  readonly fairShareOf?: UseMeasure;
}

/**
 * What fair share counts: what was used, or null, the cores in use now.
 *
 * @throws InputError where an option is of the other rule
 */
export function usageOf({ fairShare, halfLife, fairShareOf }: FairShareFlags): SimulationSettings["usage"] {
  if (fairShare === "usage")
    return { halfLifeSeconds: halfLife ?? farmDefaults.halfLifeSeconds, of: fairShareOf ?? "cores" };
  const idle = [
    ...(halfLife === undefined ? [] : ["--half-life"]),
    ...(fairShareOf === undefined ? [] : ["--fair-share-of"]),
  ];
  if (idle.length > 0) throw new InputError(`${idle.join(" and ")}: only with --fair-share usage`);
  return null;
}

/**
 * Reads the shares of projects: CSV, a line a project, `project,share`; the first
 * line may be those names.
 *
 * @throws InputError naming file and line
 */
export async function readShares(file: string): Promise<NonNullable<SimulationSettings["fairShare"]>> {
  const found = await stat(file).catch(() => null);
  if (found === null || !found.isFile()) throw new InputError("there is no such file", { file });
  if (found.size > MAX_BYTES)
    throw new InputError(`a list of shares has at most ${MAX_BYTES} bytes`, { file });
  const lines = (await readFile(file, "utf8")).split(/\r?\n/);
  const shares: { path: string; share: number }[] = [];
  for (const [at, line] of lines.entries()) {
    if (line.trim() === "" || (at === 0 && /^\s*project\s*,\s*share\s*$/i.test(line))) continue;
    const [, path, share] = /^\s*"?([^",]+?)"?\s*,\s*([\d.eE+-]+)\s*$/.exec(line) ?? [];
    if (path === undefined || !(Number(share) > 0 && Number.isFinite(Number(share)))) {
      throw new InputError(`"${line.slice(0, 80)}" is no project and its share, as in /unit/project,2`, {
        file,
        line: at + 1,
      });
    }
    shares.push({ path, share: Number(share) });
  }
  return shares;
}

/** The shares that match no job's project, nor a part of its path: most likely misspelt. */
export function unusedShares(
  shares: readonly { readonly path: string }[],
  projects: readonly string[],
): string[] {
  const known = new Set<string>();
  for (const project of projects) {
    const parts = project.split("/").filter((part) => part !== "");
    for (let depth = 1; depth <= parts.length; depth++) known.add(parts.slice(0, depth).join("/"));
  }
  return shares
    .map(({ path }) => path)
    .filter(
      (path) =>
        !known.has(
          path
            .split("/")
            .filter((part) => part !== "")
            .join("/"),
        ),
    );
}
