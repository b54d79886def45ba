import type { ServiceHandle } from "../api/service-handle.ts";

/** When a waiting job is expected to start, in a sentence. */
export interface StartForecast {
  readonly sentence: string;
}

/**
 * The forecast that an explanation tells, between who is ahead and what would help. Null: there is none.
 *
 * @param job its number
 */
export async function startForecast(_farm: ServiceHandle, _job: number): Promise<StartForecast | null> {
  return null;
}
