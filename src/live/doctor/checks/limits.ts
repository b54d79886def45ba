import type { Finding } from "../../engines/finding.ts";
import type { Check } from "../check.ts";

/** 4,000 connections each on the socket and over TCP, and files beside them. */
const OPEN_FILES = 8192;
const PROCESSES = 4096;
/** What the service takes with some 100,000 waiting jobs. */
const MEMORY_MIB = 512;

/** What the system allows a service that this user starts here. Node.js raises a soft limit of files by itself. */
export const limits: Check = {
  name: "limits",
  isOfService: true,
  look({ host }) {
    const text = host.text("/proc/self/limits") ?? "";
    const findings: Finding[] = [
      {
        what: "memory",
        found: `${Math.floor(host.memoryMiB)} MiB`,
        change: host.memoryMiB < MEMORY_MIB ? `give the machine ${MEMORY_MIB} MiB or more` : null,
      },
    ];
    for (const [what, name, least, change] of [
      [
        "open files",
        "Max open files",
        OPEN_FILES,
        `ulimit -Hn ${OPEN_FILES} before croft serve; in the unit: LimitNOFILE=65536`,
      ],
      [
        "processes",
        "Max processes",
        PROCESSES,
        `ulimit -u ${PROCESSES} before croft serve; in the unit: LimitNPROC=infinity and TasksMax=infinity`,
      ],
    ] as const) {
      const hard = new RegExp(`^${name} +\\S+ +(\\S+)`, "m").exec(text)?.[1];
      if (hard === undefined) continue;
      const isLow = hard !== "unlimited" && Number(hard) < least;
      findings.push({ what, found: `at most ${hard}`, change: isLow ? change : null });
    }
    return findings;
  },
};
