import type { Exporter } from "../exporter.ts";
import { familyKinds } from "../exported-family.ts";
import { elim } from "./elim.ts";
import { esub } from "./esub.ts";
import { readme } from "./readme.ts";
import { lsfCluster, lsfConf, lsfShared } from "./settings.ts";
import { tried } from "../tried.ts";

export const lsf: Exporter = {
  name: "lsf",
  title: "LSF",
  summary: "external load indexes, an elim that counts a host's jobs, an esub that adds requirements",
  kinds: familyKinds,
  takesTtl: true,
  tried: tried.lsf,
  files: (request) => [
    readme(request),
    lsfShared(request),
    lsfCluster(request),
    elim(request),
    esub(request),
    lsfConf(request),
  ],
};
