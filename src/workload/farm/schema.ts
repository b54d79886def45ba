import { farmShape } from "./file/farm-shape.ts";
import type { JsonSchema } from "./file/shape.ts";

/** The farm file's JSON Schema, made from the same shapes as the reader. Published as `schemas/farm.schema.json`. */
export const farmSchema: JsonSchema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  title: "A farm, as croft simulate --farm takes it",
  ...farmShape.schema,
};
