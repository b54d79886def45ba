import type { ExportRequest } from "../exporter.ts";
import type { ExportedFamily } from "../exported-family.ts";

/**
 * The reservation whose nodes a family's jobs prefer.
 *
 * A reservation with the flag FLEX is what a packing policy needs: jobs that ask for
 * it may run inside and outside and are placed inside first. Jobs that do not ask are
 * kept out once it has begun, and are not affected by one that begins in 2100.
 */
export function reservation(family: ExportedFamily): string {
  return `croft_${family.id}`;
}

/**
 * What a job of the family asks for. slurmctld (22.05) starts no job of a reservation
 * without nodes; the second one, of all nodes and dated 2100, lets it start all the same.
 */
export function reservationsAsked(family: ExportedFamily, { policy }: ExportRequest): string {
  return policy === "exclusive" ? `${reservation(family)},${anyReservation(family)}` : reservation(family);
}

/** Names of families begin with their kind, so this is no other family's. */
export function anyReservation(family: ExportedFamily): string {
  return `croft_any_${family.id}`;
}
