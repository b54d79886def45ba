import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { InputError } from "../../workload/index.ts";
import { Database } from "../store/database.ts";
import { Farm } from "./farm.fixture.ts";
import type { FarmWorld } from "./farm-world.fixture.ts";

const one = [{ name: "one", machines: 1, cores: 4 }];

async function stoppedWorld(): Promise<FarmWorld> {
  const { world } = await Farm.of(one);
  await world.clock.pass(1);
  world.die();
  return world;
}

describe("a database that is damaged", () => {
  it.each([
    ["the text of the snapshot", "UPDATE snapshot SET data = substr(data, 1, 10) WHERE part = 0"],
    ["a column of the snapshot", "UPDATE snapshot SET data = x'00' WHERE part = 1"],
    ["a part of the snapshot", "DELETE FROM snapshot WHERE part = 2"],
    ["the settings", "UPDATE settings SET text = '{'"],
    ["a field of the settings", "UPDATE settings SET text = json_set(text, '$.pools[0].policy', 5)"],
    ["the journal", "INSERT INTO journal (seq, entries) VALUES (1000, '[')"],
    ["settings that are missing", "UPDATE settings SET id = 99"],
  ])("is told in words, with the file and what to do: %s", async (_, sql) => {
    const world = await stoppedWorld();
    world.database.commit([{ sql, values: [] }]);
    const start = world.start();
    await expect(start).rejects.toThrow(InputError);
    await expect(start).rejects.toThrow(/^:memory:: .*damaged \(.+\): move it away and restore a backup/);
  });

  it("is told in words where SQLite finds it", () => {
    const folder = mkdtempSync(join(tmpdir(), "croft-damage-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "croft.db");
    new Database(path).close();
    const file = openSync(path, "r+");
    for (let page = 1; page < 30; page++) writeSync(file, Buffer.alloc(4000, 0xa5), 0, 4000, page * 4096);
    writeSync(file, Buffer.alloc(3000, 0xa5), 0, 3000, 1000);
    closeSync(file);
    expect(() => new Database(path)).toThrow(
      /croft\.db: the database is damaged \(.*malformed.*\): move it away and restore a backup/,
    );
  });

  it("ends the service in words where a job's row cannot be read", async () => {
    const farm = await Farm.of(one);
    await farm.submit(100, { cores: 4 });
    await farm.submit(100);
    farm.world.database.commit([{ sql: "UPDATE job SET request = '{' WHERE number = 2", values: [] }]);
    await farm.pass(200);
    expect(farm.world.failure?.message).toMatch(
      /the farm has failed and ends: .*the row of job 2 is damaged .*: move it away and restore a backup/,
    );
  });
});
