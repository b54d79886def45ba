import { GPU_KIND, type Farm } from "../../workload/index.ts";

export interface PoolSize {
  readonly name: string;
  readonly machines: number;
  readonly cores: number;
}

export interface FarmRules {
  readonly victim?: string | null;
  readonly strategy?: string;
  readonly waitThresholdSeconds?: number;
  readonly checkSeconds?: number;
  readonly policy?: string;
  readonly routing?: string;
  readonly intervalSeconds?: number;
  readonly hasQueue?: boolean;
  /** Of each pool. */
  readonly licences?: Readonly<Record<string, number>>;
  readonly userGroups?: Farm["userGroups"];
  readonly limits?: Farm["limits"];
  readonly reservations?: Farm["reservations"];
  /** The kind of the four GPUs of each machine, by pool. */
  readonly gpus?: Readonly<Record<string, string>>;
  /** The group that owns all machines. */
  readonly owner?: string;
  /** Of each pool. */
  readonly shares?: Farm["pools"][number]["shares"];
  readonly usage?: NonNullable<Farm["pools"][number]["usage"]>;
  /** Settings of the simulated engine. */
  readonly engine?: Readonly<Record<string, unknown>>;
}

/** A farm of simulated pools, behind one virtual pool. */
export function anyFarmOf(pools: readonly PoolSize[], rules: FarmRules = {}): Farm {
  const licences = Object.entries(rules.licences ?? {}).map(([name, count]) => ({ name, count }));
  return {
    name: "world",
    sites: ["here"],
    transferSeconds: [[0]],
    pools: pools.map(({ name, machines, cores }) => ({
      name,
      site: 0,
      groups: [
        {
          count: machines,
          coresMilli: cores * 1000,
          memoryMiB: cores * 1000,
          gpuMilli: rules.gpus?.[name] === undefined ? null : 4000,
          speed: 1,
          owner: rules.owner ?? null,
          attributes: rules.gpus?.[name] === undefined ? {} : { [GPU_KIND]: rules.gpus[name] },
        },
      ],
      engine: { kind: "simulated", settings: rules.engine ?? {} },
      policy: rules.policy ?? "first-fit",
      maxJobsList: [],
      intervalSeconds: rules.intervalSeconds ?? 0,
      reserving: Infinity,
      shares: rules.shares ?? null,
      ...(rules.usage === undefined ? {} : { usage: rules.usage }),
      ...(licences.length === 0 ? {} : { licences }),
    })),
    virtualPools: [
      {
        name: "all",
        site: 0,
        pools: pools.map((_, pool) => pool),
        routing: rules.routing ?? "round-robin",
        viewAgeSeconds: 0,
        hasQueue: rules.hasQueue ?? false,
      },
    ],
    preemption: { keepsMemory: true, victim: rules.victim ?? null },
    rescheduling: {
      strategy: rules.strategy ?? "NoRes",
      waitThresholdSeconds: rules.waitThresholdSeconds ?? 1800,
      checkSeconds: rules.checkSeconds ?? 1,
      maxRestarts: Infinity,
      candidates: null,
      checkpointSeconds: null,
    },
    ...(rules.limits === undefined ? {} : { limits: rules.limits }),
    ...(rules.reservations === undefined ? {} : { reservations: rules.reservations }),
    ...(rules.userGroups === undefined ? {} : { userGroups: rules.userGroups }),
  };
}
