import { InvalidArgumentError, Option } from "commander";

import { netbatchParameters, type NetbatchModel } from "../workload/index.ts";
import { names } from "./options.ts";

/** `--model memory-factor=0.75,mean-run=30`. */
export function modelOption(): Option {
  const known = netbatchParameters.map(({ name }) => name).join(", ");
  return new Option("--model <settings>", `netbatch-a to -d: NAME=VALUE, of ${known}`).argParser(settings);
}

function settings(text: string, earlier: Partial<NetbatchModel> = {}): Partial<NetbatchModel> {
  const given = names(text).map((each): [string, number] => {
    const [name = "", value = "", ...more] = each.split("=");
    const parameter = netbatchParameters.find((known) => known.name === name);
    if (
      parameter === undefined ||
      more.length > 0 ||
      value.trim() === "" ||
      !Number.isFinite(Number(value))
    ) {
      const described = netbatchParameters.map((known) => `${known.name} (${known.summary})`).join(", ");
      throw new InvalidArgumentError(`Give NAME=VALUE, of ${described}.`);
    }
    return [parameter.key, Number(value)];
  });
  return { ...earlier, ...Object.fromEntries(given) };
}
