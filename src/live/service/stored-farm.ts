import { Ajv } from "ajv";

import { farmSpec } from "../../simulation/build/farm-spec.ts";
import type { PlainFarm } from "./plain-farm.ts";

const check = new Ajv().compile<PlainFarm>(farmSpec);

/**
 * The farm that a service has stored beside its journal.
 *
 * @throws Error where it is damaged
 */
export function storedFarm(text: string): PlainFarm {
  const farm: unknown = JSON.parse(text);
  if (check(farm)) return farm;
  const { instancePath, message = "" } = check.errors![0]!;
  throw new RangeError(`settings: ${instancePath === "" ? "the farm" : instancePath} ${message}`);
}
