import { RequirementError } from "./requirement-error.ts";
import type { AttributeValue, Place } from "./requirement.ts";

/** A word of the language, the name of an attribute, a literal, or the end of the text. */
export type Token = Place &
  (
    | { readonly kind: "symbol"; readonly symbol: string }
    | { readonly kind: "name"; readonly name: string }
    | { readonly kind: "value"; readonly value: AttributeValue }
    | { readonly kind: "end" }
  );

/** Words that stand for a symbol. Attributes cannot have these names. */
const WORDS: Readonly<Record<string, string>> = { and: "&&", or: "||", not: "!", in: "in", has: "has" };
const SYMBOLS = ["&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "(", ")", "[", "]", ","];
/** Memory is counted in MiB; `KB` is `KiB`, as logs and machine lists mean it. */
const MEBIBYTES: Readonly<Record<string, number>> = { k: 1 / 1024, m: 1, g: 1024, t: 1024 * 1024 };

const BLANK = /\s+/y;
const NUMBER = /-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const UNIT = /\s*([kmgt])i?b(?![\w.-])/iy;
const NAME = /[A-Za-z_][\w.-]*/y;

/**
 * The tokens of a requirement; the last is the end.
 *
 * @throws RequirementError if the text holds anything else
 */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  /** The text that `pattern` matches here. The patterns have no nested repetition, so each takes linear time. */
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };

  for (;;) {
    take(BLANK);
    const start = at;
    if (at >= text.length) {
      tokens.push({ kind: "end", start, end: start });
      return tokens;
    }
    const symbol = SYMBOLS.find((each) => text.startsWith(each, start));
    const quote = text[at];
    if (symbol !== undefined) {
      at += symbol.length;
      tokens.push({ kind: "symbol", symbol, start, end: at });
    } else if (quote === '"' || quote === "'") {
      const value = readString(text, start);
      at = value.end;
      tokens.push({ kind: "value", value: value.string, start, end: at });
    } else if (take(NUMBER) !== null) {
      const number = Number(text.slice(start, at));
      const unit = take(UNIT)?.[1]?.toLowerCase();
      const value = unit === undefined ? number : number * MEBIBYTES[unit];
      if (!Number.isFinite(value)) throw new RequirementError("the number is too large", start + 1);
      NAME.lastIndex = at;
      const stray = NAME.exec(text);
      if (stray !== null) {
        throw new RequirementError(`"${shown(stray[0])}" is not a unit: use KiB, MiB, GiB or TiB`, at + 1);
      }
      tokens.push({ kind: "value", value, start, end: at });
    } else {
      const name = take(NAME)?.[0];
      if (name === undefined) throw new RequirementError(unexpected(text, start), start + 1);
      tokens.push({ ...wordOf(name), start, end: at });
    }
  }
}

/** Words of the language may be in lower or upper case; names of attributes must be as the farm has them. */
function wordOf(
  name: string,
): { kind: "symbol"; symbol: string } | { kind: "value"; value: boolean } | { kind: "name"; name: string } {
  const word = name.toLowerCase();
  if (word === name || word.toUpperCase() === name) {
    if (word === "true" || word === "false") return { kind: "value", value: word === "true" };
    const symbol = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
    if (symbol !== undefined) return { kind: "symbol", symbol };
  }
  return { kind: "name", name };
}

/** A string in single or double quotes; a backslash takes the next character as it is. */
function readString(text: string, start: number): { string: string; end: number } {
  const quote = text[start];
  let string = "";
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at];
    if (character === quote) return { string, end: at + 1 };
    if (character === "\\") at++;
    string += text[at] ?? "";
  }
  throw new RequirementError(`the string has no closing ${quote}`, start + 1);
}

function unexpected(text: string, at: number): string {
  const character = String.fromCodePoint(text.codePointAt(at)!);
  if (character === "=") return 'one "=" compares nothing: write "=="';
  if (character === "&" || character === "|") return `write "${character}${character}"`;
  return `${JSON.stringify(character)} has no meaning here`;
}

/** A piece of the text short enough for an error. */
export function shown(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 39)}…`;
}
