import { closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

const BUSY_MILLISECONDS = 1000;

/**
 * Held by one process at a time, and by the system given back when that ends, in whatever way. It is the lock of an empty
 * SQLite database: Node has none of its own, and this one works wherever the database itself does.
 */
export class Lock {
  private readonly database: DatabaseSync;

  /** @throws Error that says "locked" where another one holds it */
  constructor(path: string) {
    // Not opened where it is there: to close it again would give back a lock that this process holds (POSIX).
    if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
    this.database = new DatabaseSync(path, { timeout: BUSY_MILLISECONDS });
    try {
      this.database.exec("BEGIN EXCLUSIVE");
    } catch (error) {
      this.database.close();
      throw error;
    }
  }

  release(): void {
    this.database.close();
  }
}
