import { coversProject } from "../../simulation/index.ts";
import { groupRoles, type GroupRole, type UserGroup } from "../../workload/index.ts";
import type { JobRequest } from "../store/job-request.ts";
import { DEFAULT_PRIORITY } from "../limits.ts";
import { Refusal } from "../refusal.ts";
import type { UnixUsers } from "./unix-users.ts";

/** What a job asks for that not everybody may. */
export type Privileges = Pick<JobRequest, "group" | "project" | "priority">;

/** What a job has that asks for nothing of the kind. */
export const NO_PRIVILEGES: Privileges = { group: "", project: "", priority: DEFAULT_PRIORITY };

/**
 * What users may ask for beyond the default: by the farm file's `groups`, and for groups and projects that these do not
 * name by the Unix group of the same name.
 */
export class Grants {
  private readonly groups: readonly UserGroup[];
  private readonly unixUsers: Pick<UnixUsers, "groupsOf" | "hasGroup">;
  private readonly projects: readonly string[];

  /** @param projects those that the farm's file names: see `KnownNames` */
  constructor(
    groups: readonly UserGroup[],
    unixUsers: Pick<UnixUsers, "groupsOf" | "hasGroup">,
    projects: readonly string[],
  ) {
    this.groups = groups;
    this.unixUsers = unixUsers;
    this.projects = projects;
  }

  /** Whether the farm's file or the machine knows the user. */
  async knows(user: string): Promise<boolean> {
    return (
      this.groups.some(({ users }) => users.includes(user)) || (await this.unixUsers.groupsOf(user)) !== null
    );
  }

  /** Whether the machine has a Unix group of this name. */
  hasUnixGroup(group: string): Promise<boolean> {
    return this.unixUsers.hasGroup(group);
  }

  /** @throws Refusal 403 where the user may not ask for it */
  async check(user: string, { group, project, priority }: Privileges): Promise<void> {
    if (group === "" && project === "" && priority <= DEFAULT_PRIORITY) return;
    const unixGroups = (await this.unixUsers.groupsOf(user)) ?? [];
    const own = this.groupsOf(user, unixGroups);
    const has = (list: readonly { readonly name: string }[], wanted: string): boolean =>
      list.some(({ name }) => name === wanted);
    if (group !== "" && !(has(this.groups, group) ? has(own, group) : unixGroups.includes(group)))
      throw new Refusal(
        403,
        `${user} is not of the group ${JSON.stringify(group)}: ${
          has(this.groups, group) ? "the farm's file says who is" : "the Unix group of this name says who is"
        }`,
      );
    if (project !== "" && !this.mayUse(project, own, unixGroups))
      throw new Refusal(
        403,
        `jobs of ${user} may not count against the project ${JSON.stringify(project)}: it is for the groups to which the farm's file gives it, or else for the Unix group ${JSON.stringify(this.unixGroupOf(project))}`,
      );
    const most = Math.max(DEFAULT_PRIORITY, ...own.map(({ maxPriority }) => maxPriority ?? 0));
    if (priority > most)
      throw new Refusal(
        403,
        `jobs of ${user} have a priority of at most ${most}, not ${priority}: the farm's file can give a group more (maxPriority)`,
      );
  }

  /** What a user of the machine may who comes in by a socket of his own: the highest of his groups' roles. */
  async roleOf(user: string): Promise<GroupRole> {
    if (this.groups.every(({ role }) => role === undefined)) return "user";
    const own = this.groupsOf(user, (await this.unixUsers.groupsOf(user)) ?? []);
    const most = Math.max(0, ...own.map(({ role = "user" }) => groupRoles.indexOf(role)));
    return groupRoles[most]!;
  }

  private groupsOf(user: string, unixGroups: readonly string[]): UserGroup[] {
    return this.groups.filter(
      ({ users, unixGroups: theirs }) =>
        users.includes(user) || theirs.some((name) => unixGroups.includes(name)),
    );
  }

  private mayUse(project: string, own: readonly UserGroup[], unixGroups: readonly string[]): boolean {
    const covers = ({ projects }: UserGroup): boolean =>
      projects.some((path) => coversProject(path, project));
    return this.groups.some(covers) ? own.some(covers) : unixGroups.includes(this.unixGroupOf(project));
  }

  /**
   * The Unix group whose project it is: that of the lowest project above it which the file names, or of itself. What
   * lies below a project counts against that one too, and everybody has a Unix group of his own name.
   */
  private unixGroupOf(project: string): string {
    const named = this.projects.filter((path) => coversProject(path, project)).map(pathOf);
    return lastPart(
      named.reduce((lowest, path) => (path.length > lowest.length ? path : lowest), "") || project,
    );
  }
}

/** As the share tree has it: `/cpu` and `cpu` are one project. */
function pathOf(project: string): string {
  return project
    .split("/")
    .filter((part) => part !== "")
    .join("/");
}

function lastPart(project: string): string {
  const path = pathOf(project);
  return path.slice(path.lastIndexOf("/") + 1);
}
