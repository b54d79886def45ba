import { writeFileAtomically } from "../../../workload/index.ts";
import type { Placement } from "./results.ts";

const LINES_A_CHUNK = 4096;

/**
 * Writes `service,host,yield`, a line a service; services and hosts count from 1, in the
 * order of the instance file.
 */
export async function writePlacement(placement: Placement, path: string): Promise<void> {
  await writeFileAtomically(path, placementText(placement));
}

function* placementText({ hostOf, yields }: Placement): Generator<string> {
  let text = "service,host,yield\n";
  for (let service = 0; service < hostOf.length; service++) {
    text += `${service + 1},${hostOf[service]! + 1},${yields[service]}\n`;
    if (service % LINES_A_CHUNK === 0) {
      yield text;
      text = "";
    }
  }
  yield text;
}
