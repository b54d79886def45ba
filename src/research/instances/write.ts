import { writeFileAtomically } from "../../workload/atomic-file.ts";
import { HOST_PARTS, SERVICE_PARTS, type InstanceColumns } from "./instance.ts";

/** Large enough that the cost of a step of writing does not matter. */
const CHUNK_CHARACTERS = 1 << 16;

/**
 * Writes the format that `readInstance` reads: the three counts, then a line for each host and a line for each service.
 *
 * @throws {InputError} if the path cannot be written to
 */
export async function writeInstance(instance: InstanceColumns, path: string): Promise<void> {
  await writeFileAtomically(path, instanceText(instance));
}

function* instanceText(instance: InstanceColumns): Generator<string> {
  const { dimensions, hosts, services } = instance;
  let text = `${dimensions}\n${hosts}\n${services}\n`;
  const columns = (parts: readonly (keyof InstanceColumns)[]): Float64Array[] =>
    parts.map((part) => instance[part] as Float64Array);
  for (const [count, parts] of [
    [hosts, columns(HOST_PARTS)],
    [services, columns(SERVICE_PARTS)],
  ] as const) {
    for (let owner = 0; owner < count; owner++) {
      const at = owner * dimensions;
      text += `${parts.map((part) => part.subarray(at, at + dimensions).join(" ")).join(" ")}\n`;
      if (text.length >= CHUNK_CHARACTERS) {
        yield text;
        text = "";
      }
    }
  }
  yield text;
}
