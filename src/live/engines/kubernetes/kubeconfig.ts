import { dirname, resolve } from "node:path";

import { parse } from "yaml";

import { InputError } from "../../../workload/errors.ts";
import type { Commands } from "../system/commands.ts";
import type { TextReader, Tls } from "./credentials.ts";

/** What a kubeconfig says of one context. At most one of the tokens and the program is there. */
export interface Access {
  /** Of the kubeconfig, or of the folder that has the token. */
  readonly path: string;
  readonly server: string;
  readonly tls: Tls;
  readonly headers: Readonly<Record<string, string>>;
  readonly token: string | null;
  readonly tokenPath: string | null;
  readonly exec: ExecPlugin | null;
}

/** A program that prints a token, as clouds' clusters have it. */
export interface ExecPlugin {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly apiVersion: string;
}

interface Kubeconfig {
  readonly "current-context"?: string;
  readonly contexts?: readonly Named<"context", { readonly cluster?: string; readonly user?: string }>[];
  readonly clusters?: readonly Named<"cluster", Fields>[];
  readonly users?: readonly Named<"user", Fields>[];
}

type Named<Key extends string, Value> = { readonly name: string } & { readonly [K in Key]?: Value };
type Fields = Readonly<Record<string, unknown>>;

const EXEC_SECONDS = 60;

/**
 * @param context null: the current one
 * @throws {InputError} where the file or the context cannot be used
 */
export async function readKubeconfig(
  path: string,
  text: string,
  context: string | null,
  read: TextReader,
): Promise<Access> {
  const wrong = (what: string): InputError => new InputError(`engine kubernetes: ${path}: ${what}`);
  const config = parseConfig(text, wrong);
  const name = context ?? config["current-context"];
  const names = config.contexts?.map((each) => each.name).join(", ") ?? "";
  const choice = names === "" ? "it has no contexts" : `name one of ${names} by the setting context`;
  if (name === undefined || name === "") throw wrong(`it has no current context: ${choice}`);
  const chosen = config.contexts?.find((each) => each.name === name)?.context;
  if (chosen === undefined) throw wrong(`there is no context ${name}: ${choice}`);
  const cluster = config.clusters?.find((each) => each.name === chosen.cluster)?.cluster;
  if (cluster === undefined)
    throw wrong(`there is no cluster ${chosen.cluster}, which its context ${name} names: correct that there`);
  const named = config.users?.find((each) => each.name === chosen.user);
  if (named === undefined && chosen.user !== undefined && chosen.user !== "")
    throw wrong(`there is no user ${chosen.user}, whom its context ${name} names: correct that there`);
  const user = named?.user ?? {};
  const server = textOf(cluster, "server");
  if (server === null || !/^https?:\/\//.test(server)) throw wrong(`cluster ${chosen.cluster} has no server`);
  for (const [fields, key] of [
    [cluster, "proxy-url"],
    [user, "auth-provider"],
    [user, "as"],
  ] as const)
    if (fields[key] !== undefined) throw wrong(`${key} is not supported`);

  /** A value of the file, or of the file that it names. */
  const content = async (fields: Fields, key: string): Promise<string | undefined> => {
    const data = textOf(fields, `${key}-data`);
    if (data !== null) return Buffer.from(data, "base64").toString();
    const file = textOf(fields, key);
    if (file === null) return undefined;
    const found = await read(resolve(dirname(path), file));
    if (found === null) throw wrong(`there is no file ${file}`);
    return found;
  };
  const [ca, cert, key] = [
    await content(cluster, "certificate-authority"),
    await content(user, "client-certificate"),
    await content(user, "client-key"),
  ];
  const servername = textOf(cluster, "tls-server-name");
  const tokenPath = textOf(user, "tokenFile");
  const username = textOf(user, "username");
  const basic = `${username}:${textOf(user, "password") ?? ""}`;
  return {
    path,
    server,
    tls: {
      ...(ca === undefined ? {} : { ca }),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
      ...(servername === null ? {} : { servername }),
      ...(cluster["insecure-skip-tls-verify"] === true ? { rejectUnauthorized: false } : {}),
    },
    headers: username === null ? {} : { authorization: `Basic ${Buffer.from(basic).toString("base64")}` },
    token: textOf(user, "token"),
    tokenPath: tokenPath === null ? null : resolve(dirname(path), tokenPath),
    exec: execOf(user["exec"] as Fields | undefined, dirname(path)),
  };
}

/** Runs the program and takes its token. Rejects where it gives none. */
export async function execToken(
  { program, args, environment, apiVersion }: ExecPlugin,
  commands: Commands,
  own: NodeJS.ProcessEnv,
): Promise<{ token: string; expiresUnixSeconds: number }> {
  const info = { apiVersion, kind: "ExecCredential", spec: { interactive: false } };
  const inherited = Object.entries(own).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const ran = await commands.run(program, args, {
    environment: {
      ...Object.fromEntries(inherited),
      ...environment,
      KUBERNETES_EXEC_INFO: JSON.stringify(info),
    },
    timeoutSeconds: EXEC_SECONDS,
  });
  if (ran.status !== 0) throw new Error(`${program}: ${ran.stderr.trim() || `status ${ran.status}`}`);
  const printed = JSON.parse(ran.stdout) as { status?: { token?: unknown; expirationTimestamp?: unknown } };
  const { token, expirationTimestamp } = printed.status ?? {};
  if (typeof token !== "string") throw new Error(`${program} has printed no token`);
  const expires = Date.parse(String(expirationTimestamp)) / 1000;
  return { token, expiresUnixSeconds: Number.isFinite(expires) ? expires : Infinity };
}

function parseConfig(text: string, wrong: (what: string) => InputError): Kubeconfig {
  let value: unknown;
  try {
    value = parse(text, { maxAliasCount: 0 });
  } catch (error) {
    // What follows in further lines shows the place.
    const [why] = String(error instanceof Error ? error.message : error).split(/:?\n/);
    throw wrong(`it is no YAML: ${why}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong("it is no kubeconfig");
  const config = value as Kubeconfig;
  for (const list of [config.contexts, config.clusters, config.users])
    if (list !== undefined && list !== null && !Array.isArray(list)) throw wrong("it is no kubeconfig");
  return config;
}

function execOf(exec: Fields | undefined, folder: string): ExecPlugin | null {
  const program = exec === undefined ? null : textOf(exec, "command");
  if (exec === undefined || program === null) return null;
  const variables = (exec["env"] ?? []) as readonly { readonly name: string; readonly value: string }[];
  return {
    program: program.includes("/") ? resolve(folder, program) : program,
    args: ((exec["args"] ?? []) as readonly unknown[]).map(String),
    environment: Object.fromEntries(variables.map(({ name, value }) => [name, value])),
    apiVersion: textOf(exec, "apiVersion") ?? "client.authentication.k8s.io/v1",
  };
}

function textOf(fields: Fields, key: string): string | null {
  const value = fields[key];
  return typeof value === "string" && value !== "" ? value : null;
}
