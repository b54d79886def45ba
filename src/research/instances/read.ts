import { InputError } from "../../workload/errors.ts";
import { sourceName, type ByteSource } from "../../workload/input/bytes.ts";
import {
  checkCount,
  countNumbers,
  HOST_PARTS,
  PART_WORDS,
  SERVICE_PARTS,
  type InstanceColumns,
} from "./instance.ts";
import { readTokens } from "./tokens.ts";

/** With amounts up to this, sums and products of all amounts of an instance stay finite. */
const LARGEST_AMOUNT = 1e100;

const HEADER = ["dimensions", "hosts", "services"] as const;

/**
 * Reads an instance of the fractional problem: `D`, `H`, `J`, then per host D elementary
 * and D aggregate capacities, then per service D elementary requirements, D elementary
 * needs, D aggregate requirements and D aggregate needs. Blanks and line breaks
 * separate; the layout in lines does not matter. Plain, gzip or zstd.
 *
 * @throws InputError that names the line and what is wrong with it
 */
export async function readInstance(source: ByteSource): Promise<InstanceColumns> {
  const file = sourceName(source);
  const header: number[] = [];
  let values = new Float64Array(1024);
  let count = 0;
  let wanted = 0;
  const lastLine = await readTokens(source, (value, line, text) => {
    if (header.length < HEADER.length) {
      header.push(headerNumber(HEADER[header.length]!, value, text, { file, line }));
      if (header.length === HEADER.length) {
        const [dimensions, hosts, services] = header as [number, number, number];
        wanted = countNumbers({ dimensions, hosts, services }, { file, line });
      }
      return;
    }
    if (count === wanted) {
      throw new InputError(`more than the ${wanted} numbers that ${inWords(header)} take: ${text()}`, {
        file,
        line,
      });
    }
    // Also refuses NaN.
    if (!(value >= 0)) {
      const wrong = value < 0 ? "is negative" : "is not a finite number";
      throw new InputError(`${placeOf(count, header)}: ${text()} ${wrong}`, { file, line });
    }
    if (value > LARGEST_AMOUNT)
      throw new InputError(`${placeOf(count, header)}: ${text()} is more than ${LARGEST_AMOUNT}`, {
        file,
        line,
      });
    if (count === values.length) {
      const larger = new Float64Array(Math.min(2 * values.length, wanted));
      larger.set(values);
      values = larger;
    }
    values[count++] = value;
  });
  if (header.length < HEADER.length) {
    const missing = HEADER[header.length]!;
    throw new InputError(`the file ends before the number of ${missing}`, { file, line: lastLine });
  }
  if (count < wanted) {
    const text = `the file ends after ${count} of the ${wanted} numbers that ${inWords(header)} take`;
    throw new InputError(`${text}: it is cut short at ${placeOf(count, header)}`, { file, line: lastLine });
  }
  return columnsOf(header, values);
}

function headerNumber(
  name: (typeof HEADER)[number],
  value: number,
  text: () => string,
  where: { file: string; line: number },
): number {
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new InputError(`the number of ${name} is to be a whole number above 0, not ${text()}`, where);
  }
  checkCount(name, value, where);
  return value;
}

function inWords(header: readonly number[]): string {
  const [dimensions, hosts, services] = header;
  return `${hosts} hosts and ${services} services in ${dimensions} dimensions`;
}

/**
 * What number `at` stands for: "host 3, aggregate capacity of dimension 2". Hosts, services and dimensions count from
 * 1.
 */
function placeOf(at: number, header: readonly number[]): string {
  const [dimensions, hosts] = header as [number, number, number];
  const hostNumbers = HOST_PARTS.length * dimensions;
  const isHost = at < hosts * hostNumbers;
  const parts = isHost ? HOST_PARTS : SERVICE_PARTS;
  const inOwners = isHost ? at : at - hosts * hostNumbers;
  const owner = Math.floor(inOwners / (parts.length * dimensions));
  const inOwner = inOwners % (parts.length * dimensions);
  const part = PART_WORDS[parts[Math.floor(inOwner / dimensions)]!];
  return `${isHost ? "host" : "service"} ${owner + 1}, ${part} of dimension ${(inOwner % dimensions) + 1}`;
}

function columnsOf(header: readonly number[], values: Float64Array): InstanceColumns {
  const [dimensions, hosts, services] = header as [number, number, number];
  const servicesAt = hosts * HOST_PARTS.length * dimensions;
  const column = (start: number, owners: number, parts: number, part: number): Float64Array => {
    const amounts = new Float64Array(owners * dimensions);
    for (let owner = 0; owner < owners; owner++) {
      const from = start + (owner * parts + part) * dimensions;
      amounts.set(values.subarray(from, from + dimensions), owner * dimensions);
    }
    return amounts;
  };
  const ofHosts = (part: number): Float64Array => column(0, hosts, HOST_PARTS.length, part);
  const ofServices = (part: number): Float64Array => column(servicesAt, services, SERVICE_PARTS.length, part);
  return {
    dimensions,
    hosts,
    services,
    elementaryCapacity: ofHosts(0),
    aggregateCapacity: ofHosts(1),
    elementaryRequirement: ofServices(0),
    elementaryNeed: ofServices(1),
    aggregateRequirement: ofServices(2),
    aggregateNeed: ofServices(3),
  };
}
