import type { Machine } from "./engine.ts";
import type { System } from "./engine-kind.ts";
import { parseJson, text } from "./wrapper/attempt-folder.ts";

type Place = Pick<System, "disk" | "folder">;

/** Of as many machines as there may be. */
const LIMIT_BYTES = 64 * 1024 * 1024;

/** Keeps the machines for a later engine that cannot reach its cluster: its attempts are on them. */
export async function cacheMachines(parts: Place, machines: readonly Machine[]): Promise<void> {
  // If the disk is full, the older file stays.
  await parts.disk.writeWhole(pathOf(parts), `${JSON.stringify(machines)}\n`).catch(() => undefined);
}

/** None where there is no cache, or it cannot be read. */
export async function cachedMachines(parts: Place): Promise<Machine[]> {
  const machines = parseJson((await text(parts.disk, pathOf(parts), LIMIT_BYTES))?.text ?? null);
  return Array.isArray(machines) ? machines.filter(isMachine) : [];
}

function isMachine(value: unknown): value is Machine {
  const machine = value as Partial<Machine> | null;
  return (
    typeof machine?.name === "string" &&
    [machine.coresMilli, machine.memoryMiB, machine.gpuMilli].every(Number.isFinite) &&
    ["up", "down", "drained"].includes(machine.state ?? "") &&
    typeof machine.reason === "string" &&
    typeof machine.attributes === "object" &&
    machine.attributes !== null
  );
}

function pathOf({ folder }: Place): string {
  return `${folder}/machines.json`;
}
