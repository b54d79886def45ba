import { MAX_MACHINES } from "../../../machines/machine-list.ts";
import type { FileNode } from "../../../input/yaml.ts";
import {
  byKey,
  dictionary,
  list,
  located,
  mapping,
  number,
  optional,
  required,
  text,
  textOr,
  yesOrNo,
  type Shape,
} from "../shape.ts";
import { MAX_INT32, nameText, memoryMiB } from "./parts.ts";

const MAX_GROUPS = 100_000;

const cores = number({ min: 0.001, max: MAX_INT32 / 1000 });
const speed = number({ min: 0.001, max: 1000 });

const attributeValue: Shape<string | number | boolean> = {
  schema: { type: ["string", "number", "boolean"] },
  read(node: FileNode) {
    const { scalar } = node;
    if (typeof scalar === "string" || typeof scalar === "boolean") return scalar;
    if (typeof scalar === "number" && Number.isFinite(scalar)) return scalar;
    return node.refuse(`text, a number, true or false should stand here, not ${node.found}`);
  },
};

/** Names that requirement expressions can use, and that have no meaning of their own there. */
const attributeNames =
  /^(?!(cores|memory|gpus|speed|owner|[Aa]nd|AND|[Oo]r|OR|[Nn]ot|NOT|[Ii]n|IN|[Hh]as|HAS|[Tt]rue|TRUE|[Ff]alse|FALSE)$)[A-Za-z_][A-Za-z0-9_.-]{0,99}$/u;
const attributes = dictionary(attributeValue, {
  names: attributeNames,
  problem:
    "an attribute's name is letters, digits, _ . and -, and none of cores, memory, gpus, speed, owner, and, or, not, in, has, true, false",
  most: 100,
});

/** The settings of a group beside its size. */
const groupTraits = {
  speed: optional("how fast, 1 being what run times are told for: a job of 60 s takes 60 ÷ speed", speed, 1),
  owner: optional("the business group whose jobs come first here", nameText, null),
  attributes: optional("what requirement expressions can ask about", attributes, new Map<string, never>()),
};

const group = mapping(
  {
    count: required("how many machines", number({ min: 1, max: MAX_MACHINES, whole: true })),
    cores: required("cores of each, parts allowed", cores),
    memory: optional(
      "memory of each: MiB, or text such as 64 GiB; none: memory is not considered",
      memoryMiB,
      null,
    ),
    gpus: optional("GPUs of each, parts allowed", number({ min: 0, max: MAX_INT32 / 1000 }), null),
    ...groupTraits,
  },
  " (count, cores, memory, …), or text such as 100x8c64g",
);

const groupOfFile = mapping({
  file: required(
    "a list of machines, as --machines takes it; its path is seen from this file",
    text(/^.+$/u, "a path"),
  ),
  leaveOutDown: optional(
    "whether the machines that the list says are down or drained are left out",
    yesOrNo,
    false,
  ),
  ...groupTraits,
});

const groupText = String.raw`\d+[xX]\d+(\.\d+)?[cC](\d+(\.\d+)?[gG])?`;
const shorthand = located(
  text(
    new RegExp(String.raw`^\s*${groupText}(\s*\+\s*${groupText})*\s*$`, "u"),
    "machines such as 100x8c64g",
  ),
);

export const machines = list(textOr(shorthand, byKey("file", groupOfFile, group)), 1, MAX_GROUPS);
