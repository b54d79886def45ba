/**
 * Adds to package-lock.json the optional packages for other platforms.
 *
 * Tools with native parts list one optional package a platform. A registry
 * mirror that carries few platforms makes npm leave the others out of the
 * lockfile, and `npm ci` then refuses it on every machine. The missing entries
 * follow from the lists themselves: exact version, and the platform in the name.
 *
 * Run it after every `npm install`: `node scripts/complete-lockfile.ts`.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";

interface Entry {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

const SYSTEMS = [
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
  "aix",
];
const PROCESSORS = [
  "arm64",
  "arm",
  "x64",
  "ia32",
  "ppc64",
  "riscv64",
  "s390x",
  "loong64",
  "mips64el",
  "wasm32",
];

const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: Record<string, Entry> };
let added = 0;
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    if (lock.packages[key] !== undefined || !/^\d+\.\d+\.\d+[\w.-]*$/.test(version)) continue;
    const words = name.split(/[-/_.]/);
    const os = SYSTEMS.find(
      (system) => words.includes(system) || (system === "win32" && words.includes("windows")),
    );
    const cpu = PROCESSORS.find((processor) => words.includes(processor));
    // npm checks the platform before it fetches: an entry without one would be fetched everywhere.
    if (os === undefined && cpu === undefined) throw new Error(`${path}: no platform in the name ${name}`);
    lock.packages[key] = {
      version,
      ...(entry.dev === true ? { dev: true } : {}),
      optional: true,
      ...(os === undefined ? {} : { os: [os] }),
      ...(cpu === undefined ? {} : { cpu: [cpu] }),
      ...(words.includes("musl") ? { libc: ["musl"] } : words.includes("gnu") ? { libc: ["glibc"] } : {}),
    };
    added++;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync("package-lock.json.tmp", `${JSON.stringify(lock, null, 2)}\n`);
renameSync("package-lock.json.tmp", "package-lock.json");
console.log(`package-lock.json: ${added} packages for other platforms added`);
