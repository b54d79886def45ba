/** Roles, the least first; each may do what those before it may. */
export const roles = ["viewer", "user", "operator", "admin"] as const;
export type Role = (typeof roles)[number];

/** Who asks. */
export interface Identity {
  readonly user: string;
  readonly role: Role;
}

export function mayBe(identity: Identity, role: Role): boolean {
  return roles.indexOf(identity.role) >= roles.indexOf(role);
}
