import { Type, type Static } from "typebox";

// How a farm decides, as JSON: a live farm stores it beside its journal, and it can be sent to another thread. Fields
// with `Optional` are absent in farms that were stored before there were such settings.

const count = Type.Integer({ minimum: 0 });
const amount = Type.Number({ minimum: 0, maximum: 2 ** 31 - 1 });
const seconds = Type.Number({ minimum: 0 });

const machineSpec = Type.Object({
  name: Type.String(),
  /** So many alike, which form a group; absent: one, of a group with those that are like it. */
  count: Type.Optional(Type.Integer({ minimum: 1 })),
  coresMilli: amount,
  /** Null: not told. If no machine of the farm tells it, memory is not considered. */
  memoryMiB: Type.Union([amount, Type.Null()]),
  gpuMilli: Type.Union([amount, Type.Null()]),
  /** Of a live farm: with what others use of it at present; absent: nobody else uses it. */
  whole: Type.Optional(Type.Object({ coresMilli: amount, memoryMiB: amount, gpuMilli: amount })),
  speed: Type.Number({ exclusiveMinimum: 0 }),
  owner: Type.Union([Type.String(), Type.Null()]),
  attributes: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()])),
  /** Of a live farm: its engine lists it no more, and it stays, closed, until nothing runs there. */
  isGone: Type.Optional(Type.Literal(true)),
});

const poolSpec = Type.Object({
  name: Type.String(),
  site: count,
  policy: Type.String(),
  maxJobsList: Type.Array(Type.String()),
  intervalSeconds: seconds,
  /** Null: all may reserve. */
  reserving: Type.Union([count, Type.Null()]),
  shares: Type.Union([Type.Array(Type.Object({ path: Type.String(), share: Type.Number() })), Type.Null()]),
  /** Fair share by what was used; absent: by the cores in use, or there is none. */
  usage: Type.Optional(
    Type.Object({
      halfLifeSeconds: Type.Number({ exclusiveMinimum: 0 }),
      of: Type.Union([Type.Literal("cores"), Type.Literal("memory"), Type.Literal("dominant")]),
    }),
  ),
  licences: Type.Optional(Type.Array(Type.Object({ name: Type.String(), count }))),
  /** Thousandths of a GPU that a job gets at a time; absent: any amount. */
  gpuPart: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  suspend: Type.Union([Type.Literal("full"), Type.Literal("cpu-only"), Type.Literal("none")]),
  /** What runs its jobs in a live farm. */
  engine: Type.Optional(
    Type.Object({ kind: Type.String(), settings: Type.Record(Type.String(), Type.Unknown()) }),
  ),
  machines: Type.Array(machineSpec),
  /** Of a live farm: its engine has not been reached yet, and nothing is known of its machines. */
  isUnknown: Type.Optional(Type.Literal(true)),
  /** Whether GPUs are considered; absent: if a machine has any. */
  considersGpus: Type.Optional(Type.Boolean()),
  /** The largest number of waiting jobs examined in a cycle; absent: all. */
  examined: Type.Optional(count),
  /** A machine with fewer free cores or less free memory takes no reservation. */
  leastFree: Type.Optional(Type.Object({ cores: Type.Number(), memory: Type.Number() })),
  packing: Type.Optional(
    Type.Object({
      policy: Type.Union([Type.Literal("relaxed"), Type.Literal("exclusive"), Type.Literal("none")]),
      families: count,
      /** Null: as long as jobs of the family run there. */
      ttlSeconds: Type.Union([seconds, Type.Null()]),
    }),
  ),
  plainScan: Type.Optional(Type.Boolean()),
});

const amountOrNone = Type.Union([amount, Type.Null()]);

const limitSpec = Type.Object({
  of: Type.Union([Type.Literal("user"), Type.Literal("group"), Type.Literal("project")]),
  /** Null: each that no other limit of its kind names. */
  name: Type.Union([Type.String(), Type.Null()]),
  runningJobs: amountOrNone,
  runningCores: amountOrNone,
  waitingJobs: amountOrNone,
  jobsAtOnce: amountOrNone,
  storedMiB: Type.Optional(amount),
});

const reservationSpec = Type.Object({
  name: Type.String(),
  pool: count,
  machines: Type.Array(count),
  fromSeconds: Type.Number(),
  untilSeconds: Type.Number(),
  users: Type.Array(Type.String()),
  groups: Type.Array(Type.String()),
  projects: Type.Array(Type.String()),
  reason: Type.Union([Type.String(), Type.Null()]),
});

export const farmSpec = Type.Object({
  seed: Type.Number(),
  transferSeconds: Type.Array(Type.Array(seconds)),
  pools: Type.Array(poolSpec),
  virtualPools: Type.Array(
    Type.Object({
      name: Type.String(),
      site: count,
      pools: Type.Array(count),
      routing: Type.String(),
      viewAgeSeconds: seconds,
      /** Absent: it has none. */
      hasQueue: Type.Optional(Type.Literal(true)),
    }),
  ),
  /** The rule for whom to suspend; null: nobody is. */
  victim: Type.Union([Type.String(), Type.Null()]),
  strategy: Type.String(),
  waitThresholdSeconds: seconds,
  checkSeconds: seconds,
  /** Null: as often as it takes. */
  maxRestarts: Type.Union([count, Type.Null()]),
  /** The pools where jobs may be restarted that name none; null: those where they may first be sent. */
  restartPools: Type.Union([Type.Array(count), Type.Null()]),
  /** Of a live farm: what its users may ask for. */
  userGroups: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        users: Type.Array(Type.String()),
        unixGroups: Type.Array(Type.String()),
        maxPriority: Type.Union([count, Type.Null()]),
        projects: Type.Array(Type.String()),
        role: Type.Optional(
          Type.Union([Type.Literal("user"), Type.Literal("operator"), Type.Literal("admin")]),
        ),
      }),
    ),
  ),
  /** Absent: there are none. */
  limits: Type.Optional(Type.Array(limitSpec)),
  /** Absent: there are none. */
  reservations: Type.Optional(Type.Array(reservationSpec)),
});

type Frozen<T> = T extends object ? { readonly [Field in keyof T]: Frozen<T[Field]> } : T;

export type FarmSpec = Frozen<Static<typeof farmSpec>>;
export type PoolSpec = Frozen<Static<typeof poolSpec>>;
export type ReservationSpec = Frozen<Static<typeof reservationSpec>>;
export type MachineSpec = Frozen<Static<typeof machineSpec>>;
