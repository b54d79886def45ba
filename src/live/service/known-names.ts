import { coversProject, ownersOf } from "../../simulation/index.ts";
import { listed, Refusal } from "../refusal.ts";
import { projectsOf, type PlainFarm } from "./plain-farm.ts";

/** The groups and projects that a farm knows: a job that names another one has mistyped it. */
export class KnownNames {
  /** Those that own machines, and those of the farm file's groups, limits and reservations. */
  readonly groups: readonly string[];
  /** Those with shares, and those of the farm file's groups, limits and reservations; each stands for those below it. */
  readonly projects: readonly string[];
  private readonly hasShares: boolean;

  constructor(farm: PlainFarm) {
    const { userGroups = [], limits = [], reservations = [] } = farm;
    const limited = (kind: "group" | "project"): string[] =>
      limits.flatMap(({ of, name }) => (of === kind && name !== null ? [name] : []));
    const shares = projectsOf(farm).slice(1);
    this.hasShares = shares.length > 0;
    this.groups = unique([
      ...ownersOf(farm),
      ...userGroups.map(({ name }) => name),
      ...limited("group"),
      ...reservations.flatMap(({ groups }) => groups),
    ]);
    this.projects = unique([
      ...shares,
      ...userGroups.flatMap(({ projects }) => projects),
      ...limited("project"),
      ...reservations.flatMap(({ projects }) => projects),
    ]);
  }

  /** @throws Refusal where the farm does not know one of them. Without shares a project is a word of the user's. */
  check({ group, project }: { readonly group: string; readonly project: string }): void {
    if (group !== "" && !this.groups.includes(group))
      throw new Refusal(
        422,
        `the farm's file names no group of users ${JSON.stringify(group)}: ${listed(this.groups)}; where jobs run is chosen by the pool`,
      );
    if (project !== "" && this.hasShares && !this.projects.some((name) => coversProject(name, project)))
      throw new Refusal(
        422,
        `no pool has a share for the project ${JSON.stringify(project)}, and the farm's file does not name it: ${listed(this.projects)}`,
      );
  }

  /** Whether a reservation may be for the project: it is for those below too. */
  isProject(project: string): boolean {
    return (
      !this.hasShares ||
      this.projects.some((name) => coversProject(name, project) || coversProject(project, name))
    );
  }
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}
