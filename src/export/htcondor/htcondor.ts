import type { Exporter } from "../exporter.ts";
import { familyKinds } from "../exported-family.ts";
import { readme } from "./readme.ts";
import { negotiator, schedd, startd } from "./settings.ts";

export const htcondor: Exporter = {
  name: "htcondor",
  title: "HTCondor",
  summary: "a job transform, START and rank expressions",
  kinds: familyKinds,
  takesTtl: false,
  files: (request) => [readme(request), schedd(request), startd(request), negotiator(request)],
};
