/** Jobs of many processes, and a farm on which some are suspended for others. */
import type { Draws } from "../../src/live/service/draws.ts";

/** Two unlike pools of this machine. Of north's jobs those of its owners come first; who may go elsewhere does. */
export const FARM = `
pools:
  - name: north
    engine: { kind: local, allowRoot: true }
    machines: [{ count: 1, cores: 5, memory: 2 GiB, owner: urgent }]
    interval: 0
  - name: south
    engine: { kind: local, allowRoot: true }
    machines: [{ count: 1, cores: 3, memory: 1 GiB }]
    interval: 0
virtualPools: [{ name: all, routing: round-robin }]
preemption: { victim: lowest-priority }
rescheduling: { strategy: ResSusUtil, check: 1s }
`;

/** A job counts up to this, ten times a second. */
const TICKS = 80;
export const COUNTING_SECONDS = TICKS / 10;

/** What a job runs beside its counting, of so many processes. */
const COMPANIONS = [
  "",
  `(while :; do echo x; sleep 0.3; done) | while read -r x; do :; done | cat >/dev/null &`,
  `setsid sh -c 'while :; do sleep 0.4; done' </dev/null >/dev/null 2>&1 &`,
  `sh -c 'sh -c "sleep 1000 & sleep 1000; :" & sleep 1000 & wait; :' &`,
  `(while :; do /bin/true; sleep 0.03; done) &`,
  `trap 'sleep 1; exit 1' TERM; sleep 1000 & sleep 1000 &`,
];

/** What a job does that writes down when it counts. */
export function counting(draws: Draws, ticks: string): string {
  const counts = `i=0; while [ $i -lt ${TICKS} ]; do sleep 0.1; i=$((i + 1)); read -r up rest </proc/uptime; echo "$CROFT_ATTEMPT $up" >>${ticks}; done`;
  return `${COMPANIONS[draws.below(COMPANIONS.length)]} ${counts}`;
}
