/** With a shorter MinJobAge, Slurm forgets how a job ended before a service that was stopped for a while can ask. */
const MIN_JOB_AGE_SECONDS = 300;

/**
 * Advice on settings of the cluster under which Croft cannot do its best, as sentences.
 *
 * @param config as `scontrol show config` tells it
 */
export function adviceOn(config: ReadonlyMap<string, string>): string[] {
  const advice: string[] = [];
  const minJobAge = Number.parseInt(config.get("MinJobAge") ?? "", 10);
  if (minJobAge < MIN_JOB_AGE_SECONDS)
    advice.push(
      `slurm.conf: MinJobAge is ${minJobAge} s: after so long Slurm forgets why a job ended; set ${MIN_JOB_AGE_SECONDS} or more`,
    );
  const select = config.get("SelectTypeParameters");
  if (select !== undefined && !select.includes("MEMORY"))
    advice.push(
      `slurm.conf: SelectTypeParameters is ${select}: Slurm does not count memory, so what others' jobs use of it is not known; set CR_CPU_Memory or CR_Core_Memory`,
    );
  return advice;
}
