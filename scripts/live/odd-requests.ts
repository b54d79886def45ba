/** Requests that the OpenAPI document allows, and whether what is answered is what it says. */
import { request as ask, Agent, type IncomingMessage } from "node:http";

import { Ajv2020 } from "ajv/dist/2020.js";

import { checkKeywords, type OddValues, type Schema } from "./odd-values.ts";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Answered {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, Answered>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface OddRequest {
  /** As the document has it. */
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Fields of the body that were given, so that combinations can be counted. */
  readonly fields: string;
}

export interface Answer {
  /** 0: the connection broke, and `body` says how. */
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
  /** What goes on for longer than the trial waits for it. */
  readonly isCut: boolean;
}

/** What has a body is asked more often than what has none. */
const BODY_WEIGHT = 4;
/** What has nothing to vary is asked in one of so many cases. */
const SELDOM = 30;

export class OddRequests {
  private readonly values: OddValues;
  private readonly operations: [path: string, method: string, operation: Operation][] = [];
  private readonly folder: string;
  private readonly ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    formats: {
      "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
      uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    },
  });

  /** @param folder all paths that requests name are in it */
  constructor(document: Document, values: OddValues, folder: string) {
    this.values = values;
    this.folder = folder;
    for (const [path, operations] of Object.entries(document.paths))
      for (const [method, operation] of Object.entries(operations))
        for (let more = operation.requestBody === undefined ? 1 : BODY_WEIGHT; more > 0; more--)
          this.operations.push([path, method, operation]);
    for (const [, , { parameters = [], requestBody }] of this.operations) {
      for (const { schema } of parameters) checkKeywords(schema);
      for (const { schema } of Object.values(requestBody?.content ?? {})) checkKeywords(schema);
    }
    this.ajv.addSchema(closed(document) as object, "croft");
  }

  /** All that takes nothing: what is answered to them are values that mean something. */
  plain(): OddRequest[] {
    return this.operations
      .filter(
        ([, method, { parameters = [] }]) =>
          method === "get" && parameters.every((each) => each.required !== true),
      )
      .map(([path]) => ({ route: path, method: "GET", path, headers: {}, body: null, fields: "" }));
  }

  one(): OddRequest {
    const { values } = this;
    values.begin();
    let [route, method, operation] = values.of(this.operations);
    while (isPlain(operation) && !values.isOneIn(SELDOM))
      [route, method, operation] = values.of(this.operations);
    const headers: Record<string, string> = {};
    const query: string[] = [];
    let path = route;
    for (const { name, in: place, required, schema } of operation.parameters ?? []) {
      if (required !== true && values.isOneIn(2)) continue;
      const value = values.value(schema, name);
      const text = String(value);
      if (place === "path") path = path.replace(`{${name}}`, encoded(text));
      else if (place === "query")
        for (const each of Array.isArray(value) ? value : [value])
          query.push(`${name}=${encoded(String(each))}`);
      // What no header can carry is not the document's to allow.
      else if (/^[\x21-\x7e\xa0-\xff]([\x20-\x7e\xa0-\xff]*[\x21-\x7e\xa0-\xff])?$/.test(text))
        headers[name] = text;
    }
    if (query.length > 0) path += `?${query.join("&")}`;
    const [content] = Object.entries(operation.requestBody?.content ?? {});
    let body: string | null = null;
    let fields = "";
    if (content !== undefined) {
      headers["content-type"] = content[0];
      const value = this.inFolder(values.value(content[1].schema, ""), content[1].schema);
      fields = typeof value === "object" && value !== null ? Object.keys(value).sort().join(" ") : "";
      try {
        body = JSON.stringify(value);
      } catch (error) {
        // More than a string holds, 512 MiB: another one.
        if (error instanceof RangeError) return this.one();
        throw error;
      }
    }
    return { route, method: method.toUpperCase(), path, headers, body, fields };
  }

  /** Moves the paths of a value into the trial's folder: they name files that are made. */
  private inFolder(value: unknown, schema: Schema): unknown {
    if (Array.isArray(value)) return value.map((each) => this.inFolder(each, schema.items ?? {}));
    if (typeof value === "string" && schema.pattern?.startsWith("^/") === true)
      return `${this.folder}${value.replaceAll("..", "--")}`
        .slice(0, schema.maxLength ?? Infinity)
        .toWellFormed();
    if (typeof value !== "object" || value === null || schema.properties === undefined) return value;
    const { properties } = schema;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, this.inFolder(each, properties[name] ?? {})]),
    );
  }

  /** What is wrong with an answer, by the document; null: nothing. */
  fault({ route, method }: OddRequest, { status, headers, body, isCut }: Answer): string | null {
    const operation = this.operations.find(
      ([path, verb]) => path === route && verb === method.toLowerCase(),
    )![2];
    const key = [String(status), `${Math.floor(status / 100)}XX`].find((each) => each in operation.responses);
    if (key === undefined) return `status ${status} is not in the document`;
    const { content = {}, headers: told = {} } = operation.responses[key];
    for (const name of Object.keys(told))
      if (headers[name] === undefined) return `the header ${name} is missing`;
    const [type = ""] = (headers["content-type"] ?? "").split(";");
    if (!(type in content)) return `the content type ${JSON.stringify(type)} is not in the document`;
    if (type !== "application/json" || isCut) return null;
    let answer: unknown;
    try {
      answer = JSON.parse(body.toString());
    } catch (error) {
      return `it is no JSON: ${String(error)}`;
    }
    if (status === 200) this.values.notice(answer);
    else if ((answer as { error?: string }).error?.trim() === "") return "no reason is given";
    const at = ["paths", route, method.toLowerCase(), "responses", key, "content", type, "schema"];
    const pointer = at.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")));
    const validate = this.ajv.getSchema(`croft#/${pointer.join("/")}`)!;
    return validate(answer) === true ? null : this.ajv.errorsText(validate.errors);
  }
}

function isPlain({ parameters = [], requestBody }: Operation): boolean {
  return parameters.length === 0 && requestBody === undefined;
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** The same schemas, in which objects have the fields that are told and no others. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.entries(schema).map(([name, value]) => [name, closed(value)]);
  return { ...Object.fromEntries(inner), ...("properties" in schema ? { additionalProperties: false } : {}) };
}

/** Where requests are sent, and as whom. */
export interface Door {
  readonly at: { readonly socketPath: string } | { readonly host: string; readonly port: number };
  readonly token: string | null;
}

/** An answer that goes on, or waits as it was asked to, is cut after this. */
const CUT_MILLISECONDS = 250;
/** Nothing takes so long. */
const PATIENCE_MILLISECONDS = 300_000;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export function send({ at, token }: Door, { method, path, headers, body }: OddRequest): Promise<Answer> {
  return new Promise((resolve) => {
    const goesOn = /[?&](wait|follow)=/.test(path) || path.endsWith("/explain");
    const chunks: Buffer[] = [];
    let response: IncomingMessage | null = null;
    const answered = (isCut: boolean, error?: NodeJS.ErrnoException): void => {
      clearTimeout(timer);
      resolve({
        status: response?.statusCode ?? 0,
        headers: response?.headers ?? {},
        body: error === undefined ? Buffer.concat(chunks) : Buffer.from(String(error)),
        isCut,
      });
    };
    const all = {
      ...headers,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === null ? {} : { "content-length": Buffer.byteLength(body) }),
    };
    const asked = ask({ ...at, agent, method, path, headers: all }, (came) => {
      response = came;
      came.on("data", (chunk: Buffer) => chunks.push(chunk));
      came.on("end", () => answered(false)).on("error", (error) => answered(goesOn, error));
    });
    const timer = setTimeout(
      () => {
        answered(goesOn, goesOn ? undefined : new Error("none in time"));
        asked.destroy();
      },
      goesOn ? CUT_MILLISECONDS : PATIENCE_MILLISECONDS,
    );
    asked.on("error", (error) => answered(goesOn, error));
    asked.end(body ?? undefined);
  });
}
