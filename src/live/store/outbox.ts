import type { Connection, Write } from "./database.ts";

/** Something that a channel is still to be told. Times are the farm's. */
export interface Notification {
  /** Unlike any other's of the farm. */
  readonly id: number;
  readonly job: number;
  readonly since: number;
  /** As JSON. */
  readonly text: string;
  /** How often it was begun to tell it. */
  readonly attempts: number;
}

/** What channels are to be told: a row each, written with what has happened, and there until it is told or given up. */
export class Outbox {
  private readonly database: Connection;

  constructor(database: Connection) {
    this.database = database;
  }

  /** Of one channel, or of all. */
  count(channel: string | null = null): number {
    const row = this.database.get(
      "SELECT count(*) AS count FROM notification WHERE channel = coalesce(?, channel)",
      channel,
    );
    return Number(row!["count"]);
  }

  /** The channels that something is for. */
  channels(): string[] {
    return this.database
      .all("SELECT DISTINCT channel FROM notification")
      .map(({ channel }) => String(channel));
  }

  /** Those that are due, the ones that were tried least first. */
  due(channel: string, at: number, most: number): Notification[] {
    return this.database
      .all(
        `SELECT id, job, since, text, attempts FROM notification INDEXED BY notification_by_channel
           WHERE channel = ? AND next_at <= ? ORDER BY attempts, id LIMIT ?`,
        channel,
        at,
        most,
      )
      .map((row) => ({
        id: Number(row["id"]),
        job: Number(row["job"]),
        since: Number(row["since"]),
        text: String(row["text"]),
        attempts: Number(row["attempts"]),
      }));
  }

  /** When the next one of a channel is due; Infinity: there is none. */
  nextAt(channel: string): number {
    const at = this.database.get("SELECT min(next_at) AS at FROM notification WHERE channel = ?", channel)!;
    return typeof at["at"] === "number" ? at["at"] : Infinity;
  }
}

/** The name of a job is in its row alone. */
export function added(channel: string, job: number, since: number, text: string): Write {
  return {
    sql: `INSERT INTO notification (channel, job, since, text)
            SELECT ?, number, ?, json_set(?, '$.job.name', name) FROM job WHERE number = ?`,
    values: [channel, since, text, job],
  };
}

/** Written before it is told, so that whoever is told again is told so. */
export function begun(id: number, nextAt: number): Write {
  return {
    sql: "UPDATE notification SET attempts = attempts + 1, next_at = ? WHERE id = ?",
    values: [nextAt, id],
  };
}

export function over(id: number): Write {
  return { sql: "DELETE FROM notification WHERE id = ?", values: [id] };
}

export function dropped(channel: string): Write {
  return { sql: "DELETE FROM notification WHERE channel = ?", values: [channel] };
}
