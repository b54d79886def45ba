import type { Socket } from "node:net";

import { Ajv2020 } from "ajv/dist/2020.js";
import swagger from "@fastify/swagger";
import Fastify, {
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";

import { LONGEST_MACHINE_NAME, MOST_BODY_BYTES } from "../limits.ts";
import { Refusal } from "../refusal.ts";
import { Raw, type Route } from "./api.ts";
import { mayBe, type Identity } from "../identity.ts";
import { invalidText, type SchemaError } from "./invalid.ts";
import { withAnswers } from "./document.ts";
import { routes } from "./routes.ts";
import { MAX_KEY_LENGTH } from "./job-schemas.ts";
import { httpOptions, MAX_CONNECTIONS, timeouts, Traffic } from "./traffic.ts";
import type { ServiceHandle } from "./service-handle.ts";

/** A certificate and its key, as PEM. */
export interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export interface ServerOptions {
  readonly farm: ServiceHandle;
  /** Identifies the client. @throws Refusal if it is not known */
  readonly identify: (request: FastifyRequest) => Identity;
  /** Whether a client that was identified still may ask; all may unless given. */
  readonly stands?: (request: FastifyRequest) => boolean;
  /** What the service counts, for Prometheus. */
  readonly metrics: () => Promise<string>;
  readonly log: FastifyInstance["log"];
  readonly tls?: Tls;
}

/** The farm over HTTP: one of these for each way in. */
export async function makeServer({
  farm,
  identify,
  stands = () => true,
  metrics,
  log,
  tls,
}: ServerOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log,
    ...(tls === undefined ? { http: httpOptions } : { https: { ...httpOptions, ...tls } }),
    ...timeouts,
    bodyLimit: MOST_BODY_BYTES,
    // Each route's own schema says how long a name may be. Fastify's 100 is less than names that are taken.
    routerOptions: { maxParamLength: 2 * LONGEST_MACHINE_NAME },
    forceCloseConnections: true,
    // The schemas refuse such names as any other that there is not, in words; Fastify says that the body is no JSON.
    onProtoPoisoning: "ignore",
    onConstructorPoisoning: "ignore",
    logController: new LogController({ disableRequestLogging: true }),
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket),
  });
  app.server.maxConnections = MAX_CONNECTIONS;
  const traffic = new Traffic();
  app.addHook("onRequest", (request, reply, done) => {
    traffic.begins(request, reply, () => {
      try {
        Traffic.checkHeaders(request);
        done();
      } catch (error) {
        done(error as Error);
      }
    });
  });
  // Texts in an address are converted to numbers, and one text to a list of one; values in a body are not converted.
  const ajv = {
    allErrors: false,
    useDefaults: false,
    removeAdditional: false,
    strict: false,
    verbose: true,
  } as const;
  // As OpenAPI 3.1 has schemas.
  const bodies = new Ajv2020({ ...ajv, coerceTypes: false });
  const addresses = new Ajv2020({ ...ajv, coerceTypes: "array" });
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === "body" ? bodies : addresses).compile(schema),
  );
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    reply.code(404).send({ error: `there is nothing at ${request.method} ${request.url.split("?")[0]}` }),
  );
  await app.register(swagger, {
    openapi: { openapi: "3.1.0", info: { title: "Croft", version: farm.version } },
    // The document alone has the answers: Fastify would leave out what a schema of an answer does not have.
    transformObject: (made) =>
      "openapiObject" in made ? withAnswers(made.openapiObject) : made.swaggerObject,
  });
  await app.register(async (scope) => {
    for (const route of routes) add(scope, route, farm, identify, stands, traffic);
  });
  app.addHook("onSend", (request, reply, payload, done) => {
    traffic.sends(request, reply, identities.get(request)?.user ?? "", payload);
    // Answers are no web pages, and are not to be cached.
    reply.header("x-content-type-options", "nosniff").header("cache-control", "no-store");
    reply.header("croft-time", new Date(farm.service.unixSeconds() * 1000).toISOString());
    done(null, payload);
  });
  const viewer = {
    schema: { hide: true },
    onRequest: async (request: FastifyRequest) => void identify(request),
  };
  app.get("/v1/openapi.json", viewer, () => app.swagger());
  app.get("/health", { schema: { hide: true } }, () => ({ status: "up" }));
  app.get("/ready", { schema: { hide: true } }, (_, reply) => {
    const { writeError, wrongCount } = farm.service;
    const wrong = writeError ?? wrongCount;
    return reply.code(wrong === null ? 200 : 503).send({ status: wrong ?? "ready" });
  });
  app.get("/metrics", viewer, async (_, reply) =>
    reply.type("text/plain; version=0.0.4").send(await metrics()),
  );
  await app.ready();
  return app;
}

function add(
  app: FastifyInstance,
  route: Route,
  farm: ServiceHandle,
  identify: ServerOptions["identify"],
  stands: (request: FastifyRequest) => boolean,
  traffic: Traffic,
): void {
  const { method, path, summary, role, params, query, body } = route;
  app.route({
    method,
    url: path,
    schema: {
      summary,
      description: `For: ${role} and above.`,
      ...(params === undefined ? {} : { params }),
      ...(query === undefined ? {} : { querystring: query }),
      ...(body === undefined ? {} : { body }),
    },
    async onRequest(request, reply) {
      const identity = identify(request);
      if (!mayBe(identity, role))
        throw new Refusal(
          403,
          `${identity.user} is ${identity.role} here, and this is for ${role} and above`,
        );
      traffic.receives(request, reply, identity.user);
      identities.set(request, identity);
    },
    async handler(request, reply) {
      const gone = new AbortController();
      reply.raw.on("close", () => gone.abort());
      const identity = identities.get(request)!;
      // What comes during a reload is for the farm after it.
      await farm.settled();
      const answer = await route.handle(
        {
          identity,
          params: request.params,
          query: request.query,
          body: request.body,
          key: keyOf(request),
          lastEvent: numberOf(request.headers["last-event-id"]),
          gone: gone.signal,
          checkAgain() {
            if (!stands(request))
              throw new Refusal(
                401,
                request.headers.authorization === undefined
                  ? "the user may not come in here any more"
                  : "the token is not valid any more",
              );
          },
        },
        farm,
      );
      if (method !== "GET") audit(request, identity, reply);
      if (!(answer instanceof Raw)) return reply.send(answer);
      return reply.type(answer.type).headers(answer.headers).send(answer.content);
    },
  });
}

const identities = new WeakMap<FastifyRequest, Identity>();

/** Logs who did what: a line for every act of a person. */
function audit(request: FastifyRequest, { user, role }: Identity, reply: FastifyReply): void {
  request.log.info(
    { audit: true, user, role, method: request.method, path: request.url },
    `${reply.statusCode}`,
  );
}

function keyOf({ headers }: FastifyRequest): string | null {
  const key = headers["idempotency-key"];
  if (key === undefined) return null;
  if (typeof key !== "string" || key === "" || key.length > MAX_KEY_LENGTH)
    throw new Refusal(400, `an Idempotency-Key has 1 to ${MAX_KEY_LENGTH} characters`);
  return key;
}

function numberOf(header: string | string[] | undefined): number | null {
  return typeof header === "string" && /^\d{1,15}$/.test(header) ? Number(header) : null;
}

const LINGERING_MILLISECONDS = 2000;

/** Answers a request that is not HTTP, or has headers that are too long: there is no request yet. */
function refuseUnreadable({ code, message }: NodeJS.ErrnoException, socket: Socket): void {
  if (code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, text] =
    code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "the headers are too long"]
      : code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? [
            "408 Request Timeout",
            "the request did not come to its end in time: its client is slow, or this machine is too busy to read it",
          ]
        : ["400 Bad Request", `this is not HTTP: ${message}`];
  const body = JSON.stringify({ error: text });
  const head = [
    `HTTP/1.1 ${status}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  // One that is destroyed at once may not have the answer. One that goes on sending would be there for ever.
  setTimeout(() => socket.destroy(), LINGERING_MILLISECONDS).unref();
}

interface HttpError extends Error {
  readonly statusCode?: number;
  readonly validation?: readonly SchemaError[];
}

function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = thrown as HttpError;
  if (error instanceof Refusal) return reply.code(error.status).send({ error: error.message });
  const [first, ...others] = error.validation ?? [];
  if (first !== undefined) return reply.code(400).send({ error: invalidText([first, ...others]) });
  const status = error.statusCode ?? 500;
  // Fastify would close the connection: who still sends is then told of a reset, and never reads the answer. What goes
  // on coming is thrown away, for as long as a request may take.
  if (status === 413) {
    reply.removeHeader("connection");
    const text = `a request has at most ${MOST_BODY_BYTES / 1024 / 1024} MiB: send fewer jobs at a time`;
    return reply.code(status).send({ error: text });
  }
  if (status < 500) return reply.code(status).send({ error: error.message });
  request.log.error({ err: error }, "a request failed");
  return reply.code(500).send({ error: "the farm has failed at this: its log says more" });
}
