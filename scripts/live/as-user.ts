/** Runs a trial as an ordinary user, from the package as others would install it. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Made where it is missing, and left there. */
const USER = "croft-trial";
const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * @param args of `try-live.ts`
 * @returns the status to end with
 */
export async function runAsUser(args: readonly string[]): Promise<number> {
  if (process.getuid?.() !== 0)
    throw new Error("--as-user: only root can become another user: run it as root");
  const { uid, gid } = userIds();
  const folder = mkdtempSync(join(tmpdir(), "croft-as-user-"));
  try {
    chmodSync(folder, 0o755);
    const node = join(folder, "node");
    copyFileSync(process.execPath, node);
    install(folder);
    const home = join(folder, "home");
    mkdirSync(home, { mode: 0o700 });
    chownSync(home, uid, gid);
    const ids = [
      `--reuid=${uid}`,
      `--regid=${gid}`,
      "--clear-groups",
      "--inh-caps=-all",
      "--bounding-set=-all",
      "--no-new-privs",
    ];
    const child = spawn("setpriv", [...ids, node, "scripts/try-live.ts", ...args], {
      cwd: folder,
      stdio: "inherit",
      env: { PATH: "/usr/bin:/bin", HOME: home, USER, LOGNAME: USER, TMPDIR: home },
    });
    // A terminal tells both; whoever ends this one alone ends the other.
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => child.kill(signal));
    const [status] = (await once(child, "exit")) as [number | null];
    return status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function userIds(): { uid: number; gid: number } {
  const id = (flag: string): number =>
    Number(execFileSync("id", [flag, USER], { stdio: ["ignore", "pipe", "ignore"] }));
  try {
    return { uid: id("-u"), gid: id("-g") };
  } catch {
    execFileSync("useradd", ["--system", "--no-create-home", "--shell", "/bin/sh", "--user-group", USER]);
    return { uid: id("-u"), gid: id("-g") };
  }
}

/** The package, and beside it the trials with what of the sources they use: they import the package's own dependencies. */
function install(folder: string): void {
  const { name, version, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    name: string;
    version: string;
    devDependencies: Record<string, string>;
  };
  const npm = (...words: string[]): void =>
    void execFileSync("npm", words, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  npm("pack", "--ignore-scripts", "--silent", "--pack-destination", folder);
  const quiet = ["--prefer-offline", "--no-audit", "--no-fund", "--silent"];
  const check = `fast-check@${devDependencies["fast-check"]}`;
  npm("install", "--prefix", folder, ...quiet, join(folder, `${name}-${version}.tgz`), check);
  for (const each of ["src", "scripts", "test", "package.json"])
    cpSync(join(root, each), join(folder, each), { recursive: true });
  symlinkSync("node_modules/croft/bin", join(folder, "bin"));
}
