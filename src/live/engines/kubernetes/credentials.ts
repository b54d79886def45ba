import { readFile } from "node:fs/promises";

import { InputError } from "../../../workload/errors.ts";
import type { System } from "../engine-kind.ts";
import { codeOf, diskFailure } from "../system/disk.ts";
import { execToken, readKubeconfig, type Access } from "./kubeconfig.ts";
import type { AccessSettings } from "./settings.ts";

/** Where the API server is, and what it is shown. */
export interface Credentials {
  readonly server: string;
  readonly tls: Tls;
  readonly headers: Readonly<Record<string, string>>;
  /** What of them an API server may refuse, and how it is renewed; absent: that is not known. */
  readonly origin?: Origin;
}

export interface Origin {
  /** Of the kubeconfig, or of the folder of a service account. */
  readonly path: string;
  readonly what: string;
  /** Goes on from "To renew it, ". */
  readonly renewal: string;
}

/** Why those that are known may have been replaced: the API server refuses them, or none is reached by them. */
export type Doubt = "refused" | "unreached";

/** The credentials as they are now. */
export type CredentialSource = (doubt?: Doubt) => Promise<Credentials>;

export interface Tls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}

const SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";
/** A service account's token is replaced in its file long before it expires. */
const TOKEN_SECONDS = 60;
/** How often at most all is read anew for a doubt. */
const RENEWAL_SECONDS = 1;

/** Null where there is no file. */
export type TextReader = (path: string) => Promise<string | null>;

/** Follows links, which the files of a service account are. */
export async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return null;
    throw new InputError(`engine kubernetes: ${path} cannot be read: ${diskFailure(error)}`);
  }
}

/**
 * Reads the credentials of a pool, its token again and again, and all of it where they are refused, or reach nothing: the
 * server's address and its authority may be others by then.
 *
 * @throws {InputError} where there are none, or they cannot be used
 */
export async function findCredentials(
  { kubeconfigPath, context }: AccessSettings,
  { clock, commands }: Pick<System, "clock" | "commands">,
  environment: NodeJS.ProcessEnv,
  read: TextReader,
): Promise<CredentialSource> {
  const find = (): Promise<Access> => findAccess(kubeconfigPath, context, environment, read);
  let access = await find();
  let token: string | null = null;
  let validUntil = -Infinity;
  const renewedAt = { refused: -Infinity, unreached: -Infinity };
  /** Reads all anew, not for each of many requests that fail together. */
  const renew = async (doubt: Doubt): Promise<void> => {
    const now = clock.monotonicSeconds();
    if (now < renewedAt[doubt] + RENEWAL_SECONDS) return;
    renewedAt[doubt] = now;
    // No program is run for a token that nobody has refused.
    if (doubt === "refused") validUntil = -Infinity;
    try {
      access = await find();
    } catch {
      // It is being written, perhaps: what is known is refused until it can be read.
    }
  };
  const freshToken = async (): Promise<string | null> => {
    const now = clock.monotonicSeconds();
    if (now < validUntil) return token;
    if (access.tokenPath !== null) {
      token = (await read(access.tokenPath))?.trim() ?? token;
      validUntil = now + TOKEN_SECONDS;
    } else if (access.exec !== null) {
      const got = await execToken(access.exec, commands, environment);
      token = got.token;
      validUntil = now + Math.max(0, Math.min(3600, got.expiresUnixSeconds - clock.unixSeconds() - 60));
    } else {
      token = access.token;
      validUntil = Infinity;
    }
    return token;
  };
  return async (doubt) => {
    if (doubt !== undefined) await renew(doubt);
    const bearer = await freshToken();
    const { server, tls, headers } = access;
    return {
      server,
      tls,
      headers: bearer === null ? headers : { ...headers, authorization: `Bearer ${bearer}` },
      origin: originOf(access, bearer),
    };
  };
}

function originOf({ path, tokenPath, exec, headers, tls }: Access, token: string | null): Origin {
  if (exec !== null)
    return {
      path,
      what: `the token that ${exec.program} prints`,
      renewal: "log in anew with what that belongs to",
    };
  if (token !== null) {
    const where = tokenPath ?? path;
    const how = tokenCommand(token);
    return {
      path,
      what: `the token in ${where}`,
      renewal: `put a new one there${how === null ? "" : `, which ${how} prints`}: it is read by itself`,
    };
  }
  const what =
    tls.cert !== undefined
      ? "the client certificate"
      : headers["authorization"] !== undefined
        ? "the user or the password"
        : "the user, who has no token and no certificate,";
  return { path, what: `${what} in ${path}`, renewal: `put a new one there: it is read by itself` };
}

/** What prints a token of the same service account; null: it is none's. */
function tokenCommand(token: string): string | null {
  const [namespace, name] = serviceAccountOf(token)?.split("/") ?? [];
  return name === undefined ? null : `kubectl create token ${name} -n ${namespace} --duration=8760h`;
}

/** Returns the service account that a token belongs to, as `NAMESPACE/NAME`; null: it is not a service account's token. */
export function serviceAccountOf(token: string): string | null {
  try {
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as {
      sub?: unknown;
    } | null;
    const [, namespace, name] =
      /^system:serviceaccount:([a-z0-9-]+):([a-z0-9.-]+)$/.exec(String(claims?.sub)) ?? [];
    return name === undefined ? null : `${namespace}/${name}`;
  } catch {
    return null;
  }
}

async function findAccess(
  kubeconfigPath: string | null,
  context: string | null,
  environment: NodeJS.ProcessEnv,
  read: TextReader,
): Promise<Access> {
  const host = environment["KUBERNETES_SERVICE_HOST"];
  const isInPod = kubeconfigPath === null && context === null && host !== undefined;
  const ca = isInPod ? await read(`${SERVICE_ACCOUNT}/ca.crt`) : null;
  if (isInPod && ca !== null)
    return {
      server: `https://${host.includes(":") ? `[${host}]` : host}:${environment["KUBERNETES_SERVICE_PORT"] ?? 443}`,
      path: SERVICE_ACCOUNT,
      tls: { ca },
      headers: {},
      token: null,
      tokenPath: `${SERVICE_ACCOUNT}/token`,
      exec: null,
    };
  const variable = environment["KUBECONFIG"] || null;
  const path = kubeconfigPath ?? variable ?? `${environment["HOME"] ?? "/root"}/.kube/config`;
  if (kubeconfigPath === null && path.includes(":"))
    throw new InputError(
      `engine kubernetes: KUBECONFIG names several files: name one by the setting kubeconfig`,
    );
  const text = await read(path);
  if (text === null) {
    const remedy =
      kubeconfigPath !== null
        ? "put one there, or correct the setting kubeconfig"
        : variable !== null
          ? "correct KUBECONFIG, or name one by the setting kubeconfig"
          : "name one by the setting kubeconfig, or run the service in a pod";
    throw new InputError(`engine kubernetes: there is no kubeconfig ${path}: ${remedy}`);
  }
  return readKubeconfig(path, text, context, read);
}
