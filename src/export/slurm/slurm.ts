import type { Exporter } from "../exporter.ts";
import { familyKinds } from "../exported-family.ts";
import { jobSubmit } from "./job-submit.ts";
import { packingScript } from "./packing-script.ts";
import { readme } from "./readme.ts";
import { cron, packingConf, slurmConf } from "./settings.ts";
import { tried } from "../tried.ts";

export const slurm: Exporter = {
  name: "slurm",
  title: "Slurm",
  summary: "job-submit plugin in Lua, reservations kept by a prolog and epilog of the controller",
  kinds: familyKinds,
  takesTtl: true,
  tried: tried.slurm,
  files: (request) => [
    readme(request),
    jobSubmit(request),
    packingScript(request),
    packingConf(request),
    slurmConf(request),
    cron(request),
  ],
};
