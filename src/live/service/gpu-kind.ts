import { GPU_KIND } from "../../workload/index.ts";

/** As `withKind` writes it. */
const WITH_KIND = new RegExp(`^(?:\\((?<own>.*)\\) and )?${GPU_KIND} == "[^"]*"$`, "s");

/** A kind of GPU is a requirement like any other, so that all that places and explains jobs knows of it. */
export function withKind(requires: string, kind: string): string {
  const own = `${GPU_KIND} == "${kind}"`;
  return requires.trim() === "" ? own : `(${requires}) and ${own}`;
}

/** What a job requires beside a kind of GPU. */
export function withoutKind(requires: string): string {
  const found = WITH_KIND.exec(requires);
  return found === null ? requires : (found.groups?.["own"] ?? "");
}
