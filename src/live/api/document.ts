import { answerSchemas, json, ref } from "./answers.ts";
import type { Route } from "./api.ts";
import { routes } from "./routes.ts";
import { MAX_KEY_LENGTH } from "./job-schemas.ts";

type Part = Record<string, unknown>;

/** The OpenAPI document of the requests, with what is answered to them. */
export function withAnswers(requests: object): object {
  const document = requests as { readonly paths: Record<string, Record<string, Part>>; components?: Part };
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    const operation = document.paths[path]?.[route.method.toLowerCase()];
    if (operation === undefined) throw new Error(`the document has no ${route.method} ${path}`);
    operation["operationId"] = nameOf(route);
    operation["responses"] = responsesOf(route);
    if (route.takesKey) operation["parameters"] = [...((operation["parameters"] as object[]) ?? []), KEY];
  }
  return {
    ...document,
    paths: { ...document.paths, ...watching },
    components: {
      ...document.components,
      schemas: answerSchemas,
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: "from `croft token create`; needed over TCP. Who may open the socket needs none",
        },
      },
    },
    security: [{ token: [] }],
  };
}

const KEY = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "a text of the client's own for this submission: sent again with the same key within seven days, it makes no new jobs, and the first ones are answered",
  schema: { type: "string", minLength: 1, maxLength: MAX_KEY_LENGTH },
};

const ERROR = content(json(ref("Error")));

/** What monitoring asks. The first two need no token. */
const watching = {
  "/health": {
    get: {
      operationId: "getHealth",
      summary: "whether the service answers",
      security: [],
      responses: { 200: status("It does.") },
    },
  },
  "/ready": {
    get: {
      operationId: "getReady",
      summary: "whether the service can write what it takes",
      security: [],
      responses: { 200: status("It can."), 503: status("It cannot: `status` says why.") },
    },
  },
  "/metrics": {
    get: {
      operationId: "getMetrics",
      summary: "counts and times, for Prometheus",
      responses: {
        200: { description: "One line a figure.", content: { "text/plain": { schema: { type: "string" } } } },
        "4XX": { description: "There is no token, or a wrong one.", content: ERROR },
      },
    },
  },
};

/** What a generated client calls it: `getJobs`, `getJob`, `postJobCancel`. */
function nameOf({ method, path }: Route): string {
  const parts = path
    .replace(/^\/v1/, "")
    // What is about one of them is named for it.
    .replace(/\/[^/]+\/:/g, "/")
    .split(/[/-]/);
  const words = parts.map((part) => part.slice(0, 1).toUpperCase() + part.slice(1));
  return `${method.toLowerCase()}${words.join("")}`;
}

function status(description: string): Part {
  const schema = { type: "object", properties: { status: { type: "string" } }, required: ["status"] };
  return { description, content: { "application/json": { schema } } };
}

function responsesOf({ answers, answerHeaders = {} }: Route): Part {
  const headers = Object.entries(answerHeaders).map(([name, schema]) => [name, { schema }]);
  return {
    200: {
      description: "What was asked for. What it says is durable.",
      ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) as Part }),
      content: content(answers),
    },
    "4XX": { description: "It is refused, and nothing was changed.", content: ERROR },
    "5XX": { description: "The farm cannot at present, or has failed.", content: ERROR },
  };
}

function content(answers: Route["answers"]): Part {
  return Object.fromEntries(Object.entries(answers).map(([type, schema]) => [type, { schema }]));
}
