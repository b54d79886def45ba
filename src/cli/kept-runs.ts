import { readFileSync } from "node:fs";
import { join } from "node:path";

import { InputError, makeFolder, writeFileAtomically } from "../workload/index.ts";
import { say } from "./terminal.ts";

/** Finished runs, a file each, named for the hash of what its run depends on. */
export class KeptRuns<Run> {
  private readonly folder: string;
  private readonly runIn: (text: string, hash: string) => Run | null;

  /**
   * @param out the folder of the results
   * @param runIn gives the run of a file's text; null where this is no whole run of that hash
   */
  constructor(out: string, runIn: (text: string, hash: string) => Run | null) {
    this.folder = join(out, "units");
    this.runIn = runIn;
    makeFolder(this.folder);
  }

  /** The run of a unit; null where it is not there yet. A file that is not a whole run is told, and replaced later. */
  read(hash: string): Run | null {
    const path = join(this.folder, `${hash}.json`);
    let text: string;
    try {
      text = readFileSync(path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw new InputError(`cannot be read: ${(error as Error).message}`, { file: path });
    }
    const run = this.runIn(text, hash);
    if (run === null) say(`${path}: this is no finished run: it is made again`);
    return run;
  }

  /** Keeps a run, wherever it was made; false, and nothing kept, where the text is no whole run. */
  async take(hash: string, text: string): Promise<boolean> {
    if (this.runIn(text, hash) === null) return false;
    await writeFileAtomically(join(this.folder, `${hash}.json`), [text]);
    return true;
  }
}
