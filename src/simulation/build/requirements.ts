import {
  attributeTypes,
  findMistake,
  parseRequirement,
  RequirementError,
  type AttributeTypes,
  type Requirement,
  type ValueType,
} from "../../core/index.ts";
import { InputError, machineAttributes, nearest, type Farm } from "../../workload/index.ts";

/**
 * A requirement as a job states it, read and held against what the farm's machines have.
 *
 * @param types what the farm's machines say of themselves; null: only whether it can be read is looked at
 * @throws InputError where it cannot be read, or names an attribute that no machine has, or has with another type
 */
export function readRequirement(
  text: string,
  types: AttributeTypes | null,
  where: { file?: string; line?: number } = {},
): Requirement {
  const refuse = (problem: string): never => {
    throw new InputError(`requirement ${JSON.stringify(shortened(text))}: ${problem}`, where);
  };
  const requirement = parsed(text, refuse);
  const mistake = types === null ? null : findMistake(requirement, types);
  if (types === null || mistake === null) return requirement;
  const { attribute, column } = mistake;
  if (mistake.kind === "unknown") {
    const known = nearest(attribute, [...types.keys()]).join(", ");
    refuse(
      `column ${column}: no machine of the farm has the attribute "${shortened(attribute)}"; ` +
        (known === "" ? "its machines have none" : `did you mean ${known}?`) +
        ` Text stands in quotes: '${shortened(attribute)}'`,
    );
  } else {
    const is = mistake.is.map((type) => typeNames[type]).join(" or ");
    refuse(`column ${column}: ${attribute} is ${is}, not ${typeNames[mistake.asked]}`);
  }
  return requirement;
}

/** The check that a reader of a workload for this farm makes of each requirement. */
export function requirementCheck(farm: Farm): (text: string) => void {
  const types = attributeTypes(farm.pools.flatMap(({ groups }) => groups.map(machineAttributes)));
  return (text) => {
    if (text.trim() !== "") readRequirement(text, types);
  };
}

const typeNames: Readonly<Record<ValueType, string>> = {
  string: "text",
  number: "a number",
  boolean: "true or false",
};

function parsed(text: string, refuse: (problem: string) => never): Requirement {
  try {
    return parseRequirement(text);
  } catch (error) {
    if (error instanceof RequirementError) return refuse(error.message);
    throw error;
  }
}

function shortened(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
