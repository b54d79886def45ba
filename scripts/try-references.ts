/**
 * Holds the policies against plain references on random farms of unlike machines: `node scripts/try-references.ts
 * --farms N --seed S [--policy NAMES] [--size small|medium|large] [--out FOLDER]`. The farms are those of the seeds S,
 * S + 1, …; each is tried under every family of policies, or under those named. A family, such as `easy`, or `matching` for
 * the pool's own cycle, has another heuristic on each farm; `easy/first-fit` has the one. The first farm on which a start
 * or a machine differs is made smaller and written as two CSV files, and the commands that repeat it are printed.
 *
 * `--large-cases JOBS` prints mean and longest waits of so many jobs on three farms on which it matters how jobs are
 * placed, of the reference and of the product.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";

import { anyFarm, large, medium, small } from "../test/references/any-farm.fixture.ts";
import {
  difference,
  heuristicsFor,
  productHas,
  productStarts,
  referenceStarts,
  type Started,
} from "../test/references/compare.fixture.ts";
import { canHold, type Farm } from "../test/references/farm.fixture.ts";
import { largeCase, largeCases } from "../test/references/large-cases.fixture.ts";
import { familyNames, policyOf, referenceOf } from "../test/references/registry.fixture.ts";

const { values } = parseArgs({
  options: {
    farms: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    policy: { type: "string" },
    size: { type: "string", default: "small" },
    out: { type: "string", default: "references-differ" },
    "large-cases": { type: "string" },
  },
});
const [farms, seed] = [values.farms, values.seed].map(Number);
const sizes = { small, medium, large }[values.size];
if (sizes === undefined) throw new Error(`no size ${values.size}: small, medium or large`);
const named = values.policy?.split(",");
const tried = (named ?? familyNames).filter(isKnown);

function isKnown(name: string): boolean {
  if (productHas(familyNames.includes(name) ? policyOf(name, "first-fit") : name)) return true;
  if (named !== undefined) throw new Error(`the product has no policy ${name}`);
  console.log(`left out, since the product has none: ${name}`);
  return false;
}

/** What differs, or what the product throws; null if nothing does. */
function differs(farm: Farm, policy: string): string | null {
  const reference = referenceStarts(farm, referenceOf(policy));
  try {
    return difference(reference, productStarts(farm, policy));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The farm without each job and machine that the difference does not need. */
function smaller(farm: Farm, policy: string): Farm {
  for (const list of ["jobs", "machines"] as const)
    for (let place = farm[list].length - 1; place >= 0; place--) {
      const less: Farm = { ...farm, [list]: farm[list].toSpliced(place, 1) };
      const jobs = less.jobs.map((job, row) => ({ ...job, number: row + 1 }));
      if (less.machines.length === 0 || jobs.some((job) => !canHold(less.machines, job))) continue;
      if (differs({ ...less, jobs }, policy) !== null) return smaller({ ...less, jobs }, policy);
    }
  return farm;
}

function write(farm: Farm, folder: string): void {
  const memory = (mib: number) => (farm.hasMemory ? `,${mib}` : "");
  mkdirSync(folder, { recursive: true });
  const machines = farm.machines.map(
    (size, machine) => `m${machine + 1},${size.cores}${memory(size.memory)},${size.gpus}`,
  );
  const jobs = farm.jobs.map(({ number, submit, runtime, estimate, tasks, task }) =>
    [number, submit, runtime, estimate, tasks, `${task.cores}${memory(task.memory)}`, task.gpus].join(),
  );
  const memoryName = farm.hasMemory ? ",memory" : "";
  writeFileSync(`${folder}/machines.csv`, [`id,cores${memoryName},gpus`, ...machines, ""].join("\n"));
  writeFileSync(
    `${folder}/jobs.csv`,
    [`job,submit,runtime,estimate,tasks,cores${memoryName},gpu`, ...jobs, ""].join("\n"),
  );
}

function waits(farm: Farm, starts: readonly Started[]): string {
  const waits = farm.jobs.map(({ submit }, row) => starts[row].start - submit);
  const mean = waits.reduce((a, b) => a + b, 0) / waits.length;
  return `${mean.toFixed(1).padStart(12)}${String(waits.reduce((a, b) => Math.max(a, b), 0)).padStart(10)}`;
}

function tryLargeCases(jobs: number): void {
  console.log(
    `${"waits in s: mean, longest".padEnd(40)}${"reference".padStart(22)}${"product".padStart(22)}`,
  );
  for (const each of largeCases)
    for (const policy of named ?? ["easy", "conservative", "conservative/best-fit-cores", "backfill:3"]) {
      const farm = largeCase(each, jobs, seed);
      const reference = waits(farm, referenceStarts(farm, referenceOf(policy)));
      const product = productHas(policy) ? waits(farm, productStarts(farm, policy)) : "unknown";
      console.log(`${`${each.name} ${policy}`.padEnd(40)}${reference}${product.padStart(22)}`);
    }
}

function tryFarms(): void {
  const counts = new Map<string, { farms: number; waiting: number; differ: number }>();
  let first = true;
  for (let number = seed; number < seed + farms; number++) {
    const farm = anyFarm(number, sizes);
    const names = heuristicsFor(farm);
    for (const name of tried) {
      const policy = familyNames.includes(name) ? policyOf(name, names[number % names.length]) : name;
      if (policy.includes("memory") && !farm.hasMemory) continue;
      const count = counts.get(name) ?? { farms: 0, waiting: 0, differ: 0 };
      counts.set(name, count);
      count.farms++;
      if (referenceStarts(farm, referenceOf(policy)).some(({ start }, row) => start > farm.jobs[row].submit))
        count.waiting++;
      const found = differs(farm, policy);
      if (found === null) continue;
      count.differ++;
      if (!first) continue;
      first = false;
      const least = smaller(farm, policy);
      write(least, values.out);
      console.log(`seed ${number}, ${policy}: the reference and the product differ
  ${found}
made smaller: ${least.jobs.length} jobs on ${least.machines.length} machines in ${values.out}
  ${differs(least, policy)}
to repeat:
  node scripts/try-references.ts --farms 1 --seed ${number} --size ${values.size} --policy ${policy}
  node src/cli/main.ts simulate ${values.out}/jobs.csv --machines ${values.out}/machines.csv --policy ${policy} \\
    --interval 0 --reservations none --schedule ${values.out}/schedule.csv
`);
    }
    if ((number - seed + 1) % 5000 === 0) console.error(`${number - seed + 1} farms`);
  }

  console.log(
    `${"policy".padEnd(28)}${"farms".padStart(10)}${"with waits".padStart(12)}${"differ".padStart(10)}`,
  );
  for (const [name, { farms, waiting, differ }] of counts)
    console.log(
      `${name.padEnd(28)}${String(farms).padStart(10)}${String(waiting).padStart(12)}${String(differ).padStart(10)}`,
    );
  process.exitCode = first ? 0 : 1;
}

if (values["large-cases"] === undefined) tryFarms();
else tryLargeCases(Number(values["large-cases"]));
