import type { Exporter } from "../exporter.ts";
import { familyKinds } from "../exported-family.ts";
import { complexes } from "./complexes.ts";
import { jsv } from "./jsv.ts";
import { loadSensor } from "./load-sensor.ts";
import { readme } from "./readme.ts";
import { tried } from "../tried.ts";

export const gridEngine: Exporter = {
  name: "grid-engine",
  title: "Grid Engine",
  summary: "complex attributes, a load sensor that counts a host's jobs, a JSV that adds requests",
  kinds: familyKinds,
  takesTtl: true,
  tried: tried.gridEngine,
  files: (request) => [readme(request), complexes(request), loadSensor(request), jsv(request)],
};
