import { Database } from "../../src/live/store/database.ts";
import { Draws } from "../../src/live/service/draws.ts";
import { journalAfter, makePort, replay } from "../../src/live/service/journal.ts";
import type { PlainFarm } from "../../src/live/service/plain-farm.ts";
import { storedRequirements } from "../../src/live/service/requirements.ts";

/**
 * Applies the journal of a farm that has stopped to a fresh decision engine, from its beginning, and prints what was in
 * it. Returns whether the engine came to the same decisions.
 */
export function replayed(path: string): boolean {
  const database = new Database(path);
  try {
    const settings = database.all("SELECT text FROM settings");
    if (settings.length !== 1) throw new Error("the farm's file has changed meanwhile");
    const farm = JSON.parse(String(settings[0]["text"])) as PlainFarm;
    const requirements = storedRequirements(database);
    const port = makePort(farm, requirements, new Draws(farm.seed), null);
    const counts = new Map<string, number>();
    const count = (kind: string): void => void counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const counted = function* () {
      for (const entry of journalAfter(database, 0)) {
        count(entry.event.type);
        for (const { type } of entry.decisions) count(type);
        yield entry;
      }
    };
    const other = replay(port, counted());
    console.log(`the journal: ${[...counts].map(([kind, times]) => `${times} ${kind}`).join(", ")}`);
    console.log(other === null ? "replayed: the same decisions" : `replayed: event ${other.seq} differs`);
    return other === null;
  } finally {
    database.close();
  }
}
