import type { Machine } from "../engine.ts";
import { parseJson, text } from "../wrapper/attempt-folder.ts";
import type { Parts } from "./parts.ts";

/** Of as many machines as there may be. */
const LIMIT_BYTES = 64 * 1024 * 1024;

/** For a later engine that cannot reach Slurm: it has to know the machines that its attempts are on. */
export async function rememberMachines(parts: Parts, machines: readonly Machine[]): Promise<void> {
  // If the disk is full, the older file stays.
  await parts.disk.writeWhole(pathOf(parts), `${JSON.stringify(machines)}\n`).catch(() => undefined);
}

/** None where nothing was remembered, or it cannot be read. */
export async function rememberedMachines(parts: Parts): Promise<Machine[]> {
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

function pathOf({ folder }: Parts): string {
  return `${folder}/machines.json`;
}
