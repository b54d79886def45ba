/**
 * Makes Croft one executable file, for machines without Node.js: `node scripts/make-executable.ts [FILE]`, after
 * `npm run build`. It is for the system that it is made on, and is the Node.js that runs this with Croft's files in it
 * (https://nodejs.org/api/single-executable-applications.html).
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { externalPackages, foldersOf } from "./external-packages.ts";

/** Node.js looks for these in itself. */
const BLOB = "NODE_SEA_BLOB";
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

const target =
  process.argv[2] ?? join("dist-executable", process.platform === "win32" ? "croft.exe" : "croft");
const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string };
const names = [
  "package.json",
  "LICENSE",
  ...filesIn("dist/bundle").filter((name) => !name.endsWith(".map")),
  ...foldersOf(externalPackages).flatMap(filesIn).filter(isRun),
];
const MAIN = "scripts/executable/main.cjs";
const digest = createHash("sha256").update(readFileSync(MAIN));
for (const name of names) digest.update(`${name}\n`).update(readFileSync(name));

const work = mkdtempSync(join(tmpdir(), "croft-executable-"));
try {
  const list = join(work, "files.json");
  writeFileSync(list, JSON.stringify({ version, digest: digest.digest("hex"), names }));
  const config = join(work, "sea-config.json");
  const blob = join(work, "croft.blob");
  writeFileSync(
    config,
    JSON.stringify({
      main: MAIN,
      output: blob,
      disableExperimentalSEAWarning: true,
      assets: { "files.json": list, ...Object.fromEntries(names.map((name) => [name, name])) },
    }),
  );
  execFileSync(process.execPath, ["--experimental-sea-config", config], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(process.execPath, target);
  chmodSync(target, 0o755);
  const postject = ["node_modules/postject/dist/cli.js", target, BLOB, blob, "--sentinel-fuse", FUSE];
  // It warns of sections that it leaves unchanged. If it fails, its output is in the error.
  execFileSync(process.execPath, postject, { stdio: "pipe" });
  process.stdout.write(`${target}: Croft ${version} with Node.js ${process.versions.node}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Whether a package's file may be loaded when it runs. */
function isRun(name: string): boolean {
  return /\.(c?js|mjs|json|wasm|afm)$/.test(name);
}

/** Their paths from here, with slashes on every system. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).replaceAll("\\", "/"))
    .sort();
}
