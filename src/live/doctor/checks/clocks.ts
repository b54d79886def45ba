import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import type { Finding } from "../../engines/finding.ts";
import type { Check } from "../check.ts";

const LOOK_MILLISECONDS = 50;
/** A clock that is slewed goes wrong by a two-thousandth; one that jumps, by much more. */
const JUMP_SECONDS = 0.1;
const AHEAD_SECONDS = 60;
const CLEAN = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
const TIMEOUT_SECONDS = 10;
const SET = "timedatectl set-ntp true, or: apt install chrony";

export const clocks: Check = {
  name: "clocks",
  async look({ data, host }) {
    const wall = host.unixSeconds();
    const monotonic = host.monotonicSeconds();
    await pause(LOOK_MILLISECONDS);
    const drift = host.unixSeconds() - wall - (host.monotonicSeconds() - monotonic);
    const findings: Finding[] = [
      {
        what: "the machine's clock",
        found:
          Math.abs(drift) > JUMP_SECONDS
            ? `it has jumped by ${drift.toFixed(1)} s while it was looked at`
            : new Date(wall * 1000).toISOString(),
        change: Math.abs(drift) > JUMP_SECONDS ? SET : null,
      },
    ];
    const written = statSync(join(data, "croft.db"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const ahead = written / 1000 - wall;
    if (ahead > AHEAD_SECONDS)
      findings.push({
        what: "the machine's clock",
        found: `the farm has written its database ${Math.round(ahead)} s later than it is now: the clock was set back, and waits and --begin go by it`,
        change: SET,
      });
    const zone = host.environment["TZ"];
    const isZone = zone === undefined || zone === "" || isKnown(zone.replace(/^:/, ""));
    findings.push({
      what: "the time zone",
      found: isZone
        ? Intl.DateTimeFormat().resolvedOptions().timeZone
        : `there is none called ${zone}: times such as --begin 22:00 would be UTC`,
      change: isZone ? null : "unset TZ, or set it as in: TZ=Europe/Berlin",
    });
    const told = await host.commands.run("timedatectl", ["show", "--property=NTPSynchronized", "--value"], {
      environment: CLEAN,
      timeoutSeconds: TIMEOUT_SECONDS,
    });
    if (told.status === 0 && told.stdout.trim() === "no")
      findings.push({ what: "the machine's clock", found: "nothing sets it right (NTP)", change: SET });
    return findings;
  },
};

function isKnown(zone: string): boolean {
  // A path, or a rule such as CET-1CEST, which the C library reads and checks.
  if (zone.startsWith("/") || /^[A-Z]{3,}-?\d/.test(zone)) return true;
  try {
    Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
