import type { DominantReason } from "../../simulation/index.ts";
import type { Farm } from "./farm.fixture.ts";

/** What is told first of why a job does not run. */
export async function dominantTokenOf(farm: Farm, job: number): Promise<DominantReason | null> {
  const outcome = await farm.world.act(({ books, explaining }) => explaining.explain(books.jobs.get(job)!));
  if (outcome === null || "refusal" in outcome) throw new Error("there is no explanation");
  return outcome.answer?.dominant ?? null;
}
