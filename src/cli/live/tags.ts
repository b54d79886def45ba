import { InvalidArgumentError } from "commander";

/** An option that may be given several times, each time with one tag: `experiment=e17`. */
export function tags(
  text: string,
  earlier: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const equals = text.indexOf("=");
  const [key, value] = [text.slice(0, equals), text.slice(equals + 1)];
  if (equals < 1) throw new InvalidArgumentError("Give a name and a value, as in experiment=e17.");
  if (Object.hasOwn(earlier, key))
    throw new InvalidArgumentError(`The tag ${JSON.stringify(key)} is given twice: give it once.`);
  return { ...earlier, [key]: value };
}
