import type { Exporter } from "../exporter.ts";
import { familyKinds } from "../exported-family.ts";
import { readme } from "./readme.ts";
import { negotiator, schedd, startd } from "./settings.ts";
import { tried } from "../tried.ts";

export const htcondor: Exporter = {
  name: "htcondor",
  title: "HTCondor",
  summary: "a job transform, START and rank expressions; never run on HTCondor",
  kinds: familyKinds,
  takesTtl: false,
  tried: tried.htcondor,
  files: (request) => [readme(request), schedd(request), startd(request), negotiator(request)],
};
