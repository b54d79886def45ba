import { Type, type TSchema } from "typebox";

/** Parts of the schemas of answers, with what a field means where its name does not say it. */

const described = (what: string | undefined) => (what === undefined ? {} : { description: what });

export const text = (what?: string) => Type.String(described(what));
export const number = (what?: string) => Type.Number(described(what));
export const whole = (what?: string) => Type.Integer(described(what));
export const time = (what?: string) => Type.String({ format: "date-time", ...described(what) });
export const listOf = <Entry extends TSchema>(entry: Entry, what?: string) =>
  Type.Array(entry, described(what));
export const numbers = (what?: string) => listOf(Type.Integer(), what);
export const words = <const Word extends string>(...choices: Word[]) => Type.Enum(choices);
export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
