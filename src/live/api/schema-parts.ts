import { Type, type TSchema } from "typebox";

/** Parts of schemas, with what a field means where its name does not say it. */

const described = (what: string | undefined) => (what === undefined ? {} : { description: what });

export const text = (what?: string) => Type.String(described(what));
export const number = (what?: string) => Type.Number(described(what));
export const integer = (what?: string) => Type.Integer(described(what));
export const time = (what?: string) => Type.String({ format: "date-time", ...described(what) });
export const listOf = <Entry extends TSchema>(entry: Entry, what?: string) =>
  Type.Array(entry, described(what));
export const numbers = (what?: string) => listOf(Type.Integer(), what);
export const oneOf = <const Choice extends string>(choices: readonly Choice[], what?: string) =>
  Type.Enum([...choices], described(what));
export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
