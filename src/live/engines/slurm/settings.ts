import type { EngineSettings } from "../engine-kind.ts";
import { Settings } from "../settings.ts";
import type { Patience } from "./decide.ts";

export interface SlurmSettings {
  /** Null: the cluster's default. Only its nodes are machines of the pool. */
  readonly partition: string | null;
  /** Where slurm.conf is. Null: where Slurm looks for it. */
  readonly configPath: string | null;
  /** Where attempts are kept: a folder that all machines see. Null: the one that the service gives. */
  readonly folder: string | null;
  readonly allowRoot: boolean;
  readonly patience: Patience;
}

/** @throws {InputError} where one cannot be used */
export function readSettings(values: EngineSettings): SlurmSettings {
  const settings = new Settings("slurm", values);
  const partition = settings.text("partition");
  const configPath = settings.text("config");
  const folder = settings.text("folder");
  if (partition !== null && !/^[A-Za-z0-9_.-]+$/.test(partition))
    throw settings.wrong("partition", "give the name of one partition");
  if (configPath !== null && !configPath.startsWith("/"))
    throw settings.wrong("config", "give the absolute path of a slurm.conf");
  if (folder !== null && !folder.startsWith("/"))
    throw settings.wrong("folder", "give the absolute path of a folder that all machines see");
  const read: SlurmSettings = {
    partition,
    configPath,
    folder,
    allowRoot: settings.flag("allowRoot", false),
    patience: {
      startSeconds: settings.number("startPatienceSeconds", { from: 1, to: 1e6, otherwise: 300 }),
      lostSeconds: settings.number("lostPatienceSeconds", { from: 10, to: 1e6, otherwise: 60 }),
    },
  };
  settings.done();
  return read;
}
