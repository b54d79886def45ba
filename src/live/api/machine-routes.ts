import { STEP_JOBS } from "../limits.ts";
import { Refusal } from "../refusal.ts";
import { machineViews, type MachineView } from "../service/farm-views.ts";
import type { Service } from "../service/service.ts";
import type { Turn } from "../service/turn.ts";
import { json, ref } from "./answers.ts";
import type { Route } from "./api.ts";
import { DrainBody, DrainListBody, MachineListBody, MachineParams } from "./farm-schemas.ts";
import { listOf } from "./schema-parts.ts";

/** The farm's machines, and what operators do to them: to one, or to each of a list. */
export const machineRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/v1/machines",
    summary: "list the machines of all pools",
    role: "viewer",
    answers: json(listOf(ref("Machine"))),
    handle: (_, { service }) => machineViews(service),
  },
  {
    method: "POST",
    path: "/v1/pools/:pool/machines/:machine/drain",
    summary: "let a machine take nothing new; what runs there runs on",
    role: "operator",
    params: MachineParams,
    body: DrainBody,
    answers: json(ref("Machine")),
    async handle({ identity, params, body }, { service }) {
      const { pool, machine } = params as MachineParams;
      const { reason } = body as DrainBody;
      await service.loop.act((turn) => service.acts.drain(turn, pool, machine, reason, identity.user));
      return machineViews(service).find((each) => each.pool === pool && each.name === machine);
    },
  },
  {
    method: "POST",
    path: "/v1/pools/:pool/machines/:machine/undrain",
    summary: "let a drained machine take jobs again",
    role: "operator",
    params: MachineParams,
    answers: json(ref("Machine")),
    async handle({ identity, params }, { service }) {
      const { pool, machine } = params as MachineParams;
      await service.loop.act((turn) => service.acts.undrain(turn, pool, machine, identity.user));
      return machineViews(service).find((each) => each.pool === pool && each.name === machine);
    },
  },
  {
    method: "POST",
    path: "/v1/machine-lists/drain",
    summary: "let machines take nothing new; what runs there runs on. If one is not there nothing is done",
    role: "operator",
    body: DrainListBody,
    answers: json(listOf(ref("Machine"))),
    handle({ identity, body }, { service }) {
      const { machines, reason } = body as DrainListBody;
      const meant = meantBy(service, machines);
      return toMachines(service, meant, (turn, { pool, name }) =>
        service.acts.drain(turn, pool, name, reason, identity.user),
      );
    },
  },
  {
    method: "POST",
    path: "/v1/machine-lists/undrain",
    summary:
      "let drained machines take jobs again, of a pool those that are drained. If one is not there nothing is done",
    role: "operator",
    body: MachineListBody,
    answers: json(listOf(ref("Machine"))),
    handle({ identity, body }, { service }) {
      const meant = meantBy(service, (body as MachineListBody).machines);
      for (const { pool, name, state, isNamed } of meant)
        if (isNamed && state !== "drained")
          throw new Refusal(409, `machine ${name} of ${pool} is not drained`);
      const drained = meant.filter(({ state }) => state === "drained");
      return toMachines(service, drained, (turn, { pool, name }) =>
        service.acts.undrain(turn, pool, name, identity.user),
      );
    },
  },
];

interface Meant extends MachineView {
  /** Itself, and not only its pool. */
  readonly isNamed: boolean;
}

/**
 * Each once, in the order in which they are named.
 *
 * @throws Refusal where one is not there
 */
function meantBy(service: Service, names: readonly string[]): readonly Meant[] {
  const byName = new Map<string, MachineView[]>();
  for (const machine of machineViews(service))
    for (const name of [machine.pool, `${machine.pool}/${machine.name}`]) {
      const known = byName.get(name);
      if (known === undefined) byName.set(name, [machine]);
      else known.push(machine);
    }
  const meant = new Map<MachineView, Meant>();
  for (const name of new Set(names)) {
    const machines = byName.get(name);
    if (machines === undefined)
      throw new Refusal(404, `the farm has no machine and no pool ${JSON.stringify(name)}`);
    for (const machine of machines)
      meant.set(machine, {
        ...machine,
        isNamed: machine.pool !== name || meant.get(machine)?.isNamed === true,
      });
  }
  return [...meant.values()];
}

/** Some a turn, so that other work goes on in between. */
async function toMachines(
  service: Service,
  machines: readonly Meant[],
  act: (turn: Turn, machine: Meant) => void,
): Promise<MachineView[]> {
  for (let from = 0; from < machines.length; from += STEP_JOBS)
    await service.loop.act((turn) => {
      for (const machine of machines.slice(from, from + STEP_JOBS)) act(turn, machine);
    });
  const key = ({ pool, name }: MachineView): string => `${pool}\n${name}`;
  const now = new Map(machineViews(service).map((machine) => [key(machine), machine]));
  return machines.flatMap((machine) => now.get(key(machine)) ?? []);
}
