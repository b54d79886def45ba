// What the single executable runs: puts Croft's files, which it carries, into a folder of the user's cache, once for
// each version, and starts the command line from there. Node.js can run no modules from within an executable.
const { createHash } = require("node:crypto");
const {
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require("node:fs");
const { createRequire } = require("node:module");
const { homedir, tmpdir } = require("node:os");
const path = require("node:path");
const { getAsset, getRawAsset } = require("node:sea");

const START = "start.cjs";
const files = JSON.parse(getAsset("files.json", "utf8"));

/** The folder with Croft's files. */
function unpacked() {
  const name = `croft-${files.version}-${createHash("sha256").update(files.digest).digest("hex").slice(0, 16)}`;
  const cache = process.env.XDG_CACHE_HOME || path.join(homedir(), ".cache");
  const folder = path.join(cache, "croft", name);
  if (isOwn(folder)) return folder;
  try {
    mkdirSync(path.dirname(folder), { recursive: true, mode: 0o700 });
    const trial = mkdtempSync(`${folder}.`);
    unpackInto(trial);
    try {
      renameSync(trial, folder);
    } catch {
      // Another process was faster.
      rmSync(trial, { recursive: true, force: true });
    }
    if (isOwn(folder)) return folder;
  } catch {
    // No cache to write to.
  }
  const folderOfRun = mkdtempSync(path.join(tmpdir(), `${name}.`));
  process.on("exit", () => rmSync(folderOfRun, { recursive: true, force: true }));
  unpackInto(folderOfRun);
  return folderOfRun;
}

/** Whether the folder is there, and nobody else can have put it there. */
function isOwn(folder) {
  return existsSync(folder) && (process.getuid === undefined || statSync(folder).uid === process.getuid());
}

function unpackInto(folder) {
  for (const name of files.names) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), new Uint8Array(getRawAsset(name)));
  }
  writeFileSync(path.join(folder, START), 'import("./dist/bundle/croft.js");\n');
}

// A script from the disk can import modules, which one in the executable cannot.
const start = path.join(unpacked(), START);
createRequire(start)(start);
