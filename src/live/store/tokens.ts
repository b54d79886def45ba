import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

import type { Identity, Role } from "../identity.ts";
import type { Connection, Database, Row, Write } from "./database.ts";

/** A token as it is shown: its secret is not stored, and only its holder knows it. */
export interface TokenView {
  readonly id: number;
  readonly user: string;
  readonly role: Role;
  readonly comment: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

const SECRET_BYTES = 32;
const PATTERN = /^croft_([1-9]\d{0,9})_([\w-]{43})$/;

/** Makes tokens. It counts them itself: those of a turn are not in the database before the turn is written. */
export class TokenMaker {
  private last: number;

  constructor(database: Database) {
    this.last = Number(database.get("SELECT max(id) AS last FROM token")?.["last"] ?? 0);
  }

  /** A new token, the write that stores it, and its text, which cannot be recovered later. */
  make(
    { user, role, comment }: Pick<TokenView, "user" | "role" | "comment">,
    unixSeconds: number,
    expiresUnixSeconds: number | null,
  ): { readonly id: number; readonly text: string; readonly write: Write } {
    const id = ++this.last;
    const secret = randomBytes(SECRET_BYTES).toString("base64url");
    return {
      id,
      text: `croft_${id}_${secret}`,
      write: {
        sql: "INSERT INTO token (id, hash, user, role, comment, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        // A secret of 256 random bits is not found by trying: a slow hash would only cost time.
        values: [id, hashOf(secret), user, role, comment, unixSeconds, expiresUnixSeconds],
      },
    };
  }
}

/** Whose token it is; null where it is none, was revoked, or its time is over. */
export function identityOf(database: Database, text: string, unixSeconds: number): Identity | null {
  const [, id, secret] = PATTERN.exec(text) ?? [];
  if (id === undefined || secret === undefined) return null;
  const row = database.get(
    "SELECT hash, user, role, expires_at FROM token WHERE id = ? AND revoked_at IS NULL",
    Number(id),
  );
  const hash = Buffer.from(hashOf(secret), "hex");
  // The same work if there is no such token, so that timing does not show which exist.
  const known = Buffer.from(row === undefined ? hashOf("") : String(row["hash"]), "hex");
  if (!timingSafeEqual(hash, known) || row === undefined) return null;
  if (row["expires_at"] !== null && Number(row["expires_at"]) <= unixSeconds) return null;
  return { user: String(row["user"]), role: String(row["role"]) as Role };
}

/** Of those that were not revoked. */
export function countTokens(connection: Connection): number {
  return Number(connection.get("SELECT count(*) AS count FROM token WHERE revoked_at IS NULL")!["count"]);
}

/** Whether it was made and not revoked. */
export function hasToken(connection: Connection, id: number): boolean {
  return connection.get("SELECT 1 FROM token WHERE id = ? AND revoked_at IS NULL", id) !== undefined;
}

export function listTokens(connection: Connection): TokenView[] {
  return connection.all("SELECT * FROM token WHERE revoked_at IS NULL ORDER BY id").map((row) => ({
    id: Number(row["id"]),
    user: String(row["user"]),
    role: String(row["role"]) as Role,
    comment: String(row["comment"]),
    createdAt: time(row["created_at"])!,
    expiresAt: time(row["expires_at"]),
  }));
}

function time(unixSeconds: Row[string] | undefined): string | null {
  return unixSeconds === null || unixSeconds === undefined
    ? null
    : new Date(Number(unixSeconds) * 1000).toISOString();
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
