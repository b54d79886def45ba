/** What a schema finds wrong with a request: an error of Ajv with `verbose`. */
export interface SchemaError {
  readonly keyword: string;
  /** Where: "/jobs/1/cores". */
  readonly instancePath: string;
  /** The name that is wrong, where it is a name and not its value. */
  readonly propertyName?: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema?: Readonly<Record<string, unknown>>;
}

/** The request's error in words: where, and what may stand there. */
export function invalidText([error]: readonly [SchemaError, ...SchemaError[]]): string {
  const { keyword, instancePath, params } = error;
  const path = instancePath.slice(1);
  if (keyword === "additionalProperties")
    return located(
      path,
      `there is no field ${JSON.stringify(String(params["additionalProperty"]).slice(0, 60))}`,
    );
  if (keyword === "required")
    return located(path, `the field ${JSON.stringify(String(params["missingProperty"]))} is missing`);
  if (error.propertyName !== undefined)
    return located(path, `${JSON.stringify(error.propertyName.slice(0, 60))} ${ruleText(error)}`);
  return located(path, ruleText(error));
}

function located(path: string, text: string): string {
  return path === "" ? text : `${path}: ${text}`;
}

const types: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

const limits: Readonly<Record<string, (limit: string) => string>> = {
  minimum: (limit) => `must be at least ${limit}`,
  exclusiveMinimum: (limit) => `must be above ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  minLength: (limit) => `must have at least ${limit} characters`,
  maxLength: (limit) => `must have at most ${limit} characters`,
  minItems: (limit) => `must have at least ${limit} entries`,
  maxItems: (limit) => `must have at most ${limit} entries`,
  minProperties: (limit) => `must have at least ${limit} fields`,
  maxProperties: (limit) => `must have at most ${limit} fields`,
};

function ruleText({ keyword, message, params, parentSchema }: SchemaError): string {
  const { type, limit } = params;
  const form = parentSchema?.["x-form"];
  if (keyword === "pattern" && typeof form === "string") return `must be ${form}`;
  if (keyword === "enum") return `must be one of ${(params["allowedValues"] as unknown[]).join(", ")}`;
  if (keyword === "type" && typeof type === "string") return `must be ${types[type] ?? type}`;
  return limits[keyword]?.(String(limit)) ?? message ?? "is not valid";
}
