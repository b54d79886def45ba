/** Shorter, and Slurm has forgotten how a job ended before a service that was away for a while is back. */
const LEAST_MIN_JOB_AGE_SECONDS = 300;

/**
 * What in a cluster's configuration makes attempts fare worse than they could, for a person.
 *
 * @param config as `scontrol show config` tells it
 */
export function adviceOn(config: ReadonlyMap<string, string>): string[] {
  const advice: string[] = [];
  const minJobAge = Number.parseInt(config.get("MinJobAge") ?? "", 10);
  if (minJobAge < LEAST_MIN_JOB_AGE_SECONDS)
    advice.push(
      `slurm.conf: MinJobAge is ${minJobAge} s: after so long Slurm forgets why a job ended; set ${LEAST_MIN_JOB_AGE_SECONDS} or more`,
    );
  const select = config.get("SelectTypeParameters");
  if (select !== undefined && !select.includes("MEMORY"))
    advice.push(
      `slurm.conf: SelectTypeParameters is ${select}: Slurm does not count memory, so what others' jobs use of it is not known; set CR_CPU_Memory or CR_Core_Memory`,
    );
  return advice;
}
