import type { DatabaseSync } from "node:sqlite";

import { snapshotByColumns } from "./named-snapshot.ts";

/** Statements, or a function that is called in their place. */
export type Migration = string | ((database: DatabaseSync) => void);

/**
 * The database's shape, step by step: what stands at place n brings a database of version n to n + 1. A step that
 * was released is never changed; a new one is added.
 *
 * - `job`: a row a job. `request` is what was asked for, `state` and what follows is how it stands.
 * - `attempt`: a row a run of a job. `intent` is what was decided and has not been answered yet.
 * - `twin`: second attempts by a strategy; `arrival`: jobs on their way to another pool.
 * - `journal`: the events that the decision engine took, with what it decided: a row a turn, by the number of its last
 *   event. `snapshot`: the engine in between; part 0 is its text, the others its columns: see `columns.ts`.
 * - `past_snapshot`: some earlier ones, from which the journal can be replayed.
 * - `settings`: what the engine was made of, and after which event of the journal; `requirement`: the number of each expression that jobs have used;
 *   `licence_request`: that of each list of licences; `account`: that of whom jobs count against, for the farm's limits.
 * - `environment`: variables of jobs, once each.
 * - `event`: what happened, for people.
 * - `machine`: machines that a person has drained.
 * - `pause`: pools that a person lets start nothing; the farm as a whole is the empty name.
 * - `archive`: months whose jobs are in files; `moving`: the month whose jobs are being moved into one: `archive.ts`.
 * - `token`: who may come in over TCP, by hashes.
 * - `unfinished`: the submission that is being taken, by its first and last job.
 * - `wait_reason`: for what reason a job waits, since when: a row each time that it changes.
 * - `array_limit`: arrays of which only so many jobs run at once, while one of their jobs is not over.
 * - `submission`: idempotency keys and the jobs they made.
 */
export const migrations: readonly Migration[] = [
  `
  CREATE TABLE job (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    user TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL,
    pool TEXT,
    machines TEXT NOT NULL,
    submitted_at REAL NOT NULL,
    started_at REAL,
    ended_at REAL,
    exit_status INTEGER,
    exit_signal INTEGER,
    attempt INTEGER NOT NULL,
    retries_left INTEGER NOT NULL,
    is_held INTEGER NOT NULL,
    is_paused INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    time_seconds REAL,
    request TEXT NOT NULL,
    environment INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX job_present ON job (number) WHERE ended_at IS NULL;
  CREATE INDEX job_by_user ON job (user, number);
  CREATE TABLE dependency (
    job INTEGER NOT NULL,
    after INTEGER NOT NULL,
    condition TEXT NOT NULL,
    PRIMARY KEY (job, after)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX dependency_after ON dependency (after);
  CREATE TABLE attempt (
    job INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    engine_job INTEGER NOT NULL,
    engine_attempt INTEGER NOT NULL,
    pool TEXT NOT NULL,
    placement TEXT NOT NULL,
    state TEXT NOT NULL,
    intent TEXT,
    why TEXT,
    decision INTEGER NOT NULL,
    started_at REAL,
    ended_at REAL,
    outcome TEXT,
    PRIMARY KEY (job, attempt)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX attempt_present ON attempt (job) WHERE outcome IS NULL;
  CREATE TABLE twin (engine_job INTEGER PRIMARY KEY, job INTEGER NOT NULL) STRICT;
  CREATE TABLE arrival (engine_job INTEGER PRIMARY KEY, decision INTEGER NOT NULL, at REAL NOT NULL) STRICT;
  CREATE TABLE journal (
    seq INTEGER PRIMARY KEY,
    event TEXT NOT NULL,
    decisions TEXT
  ) STRICT;
  CREATE TABLE snapshot (
    seq INTEGER NOT NULL,
    part INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (seq, part)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE settings (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
  CREATE TABLE requirement (number INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE environment (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, text TEXT NOT NULL) STRICT;
  CREATE TABLE event (
    seq INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    job INTEGER,
    actor TEXT,
    text TEXT NOT NULL
  ) STRICT;
  CREATE INDEX event_by_job ON event (job, seq) WHERE job IS NOT NULL;
  CREATE TABLE machine (
    pool TEXT NOT NULL,
    name TEXT NOT NULL,
    reason TEXT NOT NULL,
    actor TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (pool, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE token (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL,
    user TEXT NOT NULL,
    role TEXT NOT NULL,
    comment TEXT NOT NULL,
    created_at REAL NOT NULL,
    expires_at REAL,
    revoked_at REAL
  ) STRICT;
  CREATE TABLE archive (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  CREATE INDEX job_by_end ON job (ended_at) WHERE ended_at IS NOT NULL;
  CREATE TABLE submission (
    user TEXT NOT NULL,
    key TEXT NOT NULL,
    hash TEXT NOT NULL,
    numbers TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (user, key)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  ALTER TABLE attempt ADD COLUMN suspended_for INTEGER;
  `,
  `
  CREATE TABLE journal_of_turns (seq INTEGER PRIMARY KEY, entries TEXT NOT NULL) STRICT;
  INSERT INTO journal_of_turns SELECT seq, '[[' || event || coalesce(',' || decisions, '') || ']]' FROM journal;
  DROP TABLE journal;
  ALTER TABLE journal_of_turns RENAME TO journal;
  `,
  snapshotByColumns,
  `
  CREATE TABLE licence_request (number INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
  `,
  // Old keys are deleted at each submission that has one.
  `
  CREATE INDEX submission_by_age ON submission (at);
  `,
  // Lists of jobs by what they are filtered by, in order of number.
  `
  CREATE INDEX job_over_by_state ON job (state, number) WHERE ended_at IS NOT NULL;
  CREATE INDEX job_by_pool ON job (pool, number);
  CREATE INDEX job_by_name ON job (name, number);
  `,
  // Months are moved step by step; what no job uses any more is found by the jobs.
  `
  CREATE TABLE moving (
    name TEXT PRIMARY KEY,
    from_at REAL NOT NULL,
    to_at REAL NOT NULL,
    file TEXT NOT NULL,
    ranges BLOB,
    done INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX job_by_environment ON job (environment);
  CREATE TABLE unfinished (first INTEGER PRIMARY KEY, last INTEGER NOT NULL) STRICT;
  `,
  `
  CREATE TABLE wait_reason (
    job INTEGER NOT NULL,
    at REAL NOT NULL,
    token TEXT NOT NULL,
    sentence TEXT NOT NULL,
    PRIMARY KEY (job, at)
  ) STRICT, WITHOUT ROWID;
  `,
  // What other policies are tried on: see `past-snapshots.ts`.
  `
  ALTER TABLE settings ADD COLUMN after_seq INTEGER;
  CREATE TABLE past_snapshot (seq INTEGER NOT NULL, part INTEGER NOT NULL, data ANY NOT NULL, PRIMARY KEY (seq, part)) STRICT;
  `,
  // Before when a job does not start, in seconds since 1970.
  `
  ALTER TABLE job ADD COLUMN begin_at REAL;
  CREATE INDEX job_by_begin ON job (begin_at) WHERE begin_at IS NOT NULL;
  `,
  // By when it has to be over, if it runs as long as it may.
  `
  ALTER TABLE job ADD COLUMN deadline_at REAL;
  `,
  // What jobs are found by beside what they had: each tag is a line.
  `
  ALTER TABLE job ADD COLUMN tags TEXT NOT NULL DEFAULT '';
  `,
  `
  ALTER TABLE job ADD COLUMN project TEXT NOT NULL DEFAULT '';
  UPDATE job SET project = request ->> '$.project' WHERE request ->> '$.project' IS NOT NULL;
  `,
  // All that jobs are filtered and sorted by: where no other index helps, lists go through this one and not through rows.
  `
  CREATE INDEX job_listed ON job (number, user, state, pool, name, project, tags, priority, submitted_at, started_at, ended_at);
  `,
  `
  CREATE TABLE array_limit (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, most INTEGER NOT NULL) STRICT;
  `,
  `
  CREATE TABLE pause (
    pool TEXT PRIMARY KEY,
    actor TEXT NOT NULL,
    reason TEXT NOT NULL,
    at REAL NOT NULL,
    suspends INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE account (number INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
  `,
  // Made while the farm runs; those of its file are in the file.
  `
  CREATE TABLE reservation (name TEXT PRIMARY KEY, until REAL NOT NULL, text TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  // Of which jobs users are told, as JSON; and what is still to be told. Its numbers are never used again.
  `
  CREATE TABLE notify (job INTEGER PRIMARY KEY, channels TEXT NOT NULL) STRICT;
  CREATE TABLE notification (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    channel TEXT NOT NULL,
    job INTEGER NOT NULL,
    since REAL NOT NULL,
    text TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_at REAL NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX notification_by_channel ON notification (channel, attempts, id);
  `,
  // How long an attempt has stood still in all, without the time since it last stopped; and since when it does.
  `
  ALTER TABLE attempt ADD COLUMN suspended_seconds REAL NOT NULL DEFAULT 0;
  ALTER TABLE attempt ADD COLUMN suspended_at REAL;
  `,
  // Whether a job was submitted again.
  `
  ALTER TABLE job ADD COLUMN is_rerun INTEGER NOT NULL DEFAULT 0;
  `,
  // The devices that it was given, as JSON.
  `
  ALTER TABLE attempt ADD COLUMN gpus TEXT;
  `,
  // How often it was: one of them that is taken back leaves the others.
  `
  ALTER TABLE job RENAME COLUMN is_rerun TO reruns;
  `,
];
