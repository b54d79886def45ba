import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";

export type Row = Record<string, SQLOutputValue>;

const BUSY_MILLISECONDS = 1000;

/** Writes what is in the log back into the database, on a connection of its own. Others read and write meanwhile. */
export function checkpoint(path: string): void {
  const database = openDatabase(path, false);
  database.exec("PRAGMA wal_checkpoint(PASSIVE)");
  database.close();
}

/** A connection to the database that reads. All statements are prepared once. */
export class Connection {
  readonly path: string;
  protected readonly database: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();
  private readonly arrayStatements = new Map<string, StatementSync>();

  /** Unless another is given it is one that can write nothing. */
  constructor(path: string, database = openDatabase(path, true)) {
    this.path = path;
    this.database = database;
  }

  all(sql: string, ...values: SQLInputValue[]): Row[] {
    return this.statement(sql).all(...values);
  }

  get(sql: string, ...values: SQLInputValue[]): Row | undefined {
    return this.statement(sql).get(...values);
  }

  /** Rows as arrays, in the order of the columns: many rows are read twice as fast so. */
  arrays(sql: string, ...values: SQLInputValue[]): SQLOutputValue[][] {
    return this.arrayStatement(sql).all(...values) as unknown as SQLOutputValue[][];
  }

  iterate(sql: string, ...values: SQLInputValue[]): NodeJS.Iterator<Row> {
    return this.statement(sql).iterate(...values);
  }

  /** As `arrays`, one after the other. */
  iterateArrays(sql: string, ...values: SQLInputValue[]): Iterable<SQLOutputValue[]> {
    return this.arrayStatement(sql).iterate(...values) as unknown as Iterable<SQLOutputValue[]>;
  }

  /** Several reads of the same moment, whatever is written meanwhile. They may be among others that are. */
  together<Result>(read: () => Result): Result {
    if (this.database.isTransaction) return read();
    this.database.exec("BEGIN");
    try {
      return read();
    } finally {
      this.database.exec("COMMIT");
    }
  }

  /** Copies the whole as it is now into a file that is empty, with the file's mode. */
  copyInto(path: string): void {
    this.database.prepare("VACUUM INTO ?").run(path);
  }

  close(): void {
    this.forget();
    this.database.close();
  }

  protected statement(sql: string): StatementSync {
    let statement = this.statements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }

  /** Drops the statements: they may be of other tables than there are now. */
  protected forget(): void {
    this.statements.clear();
    this.arrayStatements.clear();
  }

  private arrayStatement(sql: string): StatementSync {
    let statement = this.arrayStatements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(sql);
      statement.setReturnArrays(true);
      this.arrayStatements.set(sql, statement);
    }
    return statement;
  }
}

export function openDatabase(path: string, readOnly: boolean): DatabaseSync {
  return new DatabaseSync(path, { timeout: BUSY_MILLISECONDS, readOnly });
}
