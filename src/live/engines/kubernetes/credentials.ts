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
}

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
 * Reads the credentials of a pool once, and its token again and again.
 *
 * @throws {InputError} where there are none, or they cannot be used
 */
export async function findCredentials(
  { kubeconfigPath, context }: AccessSettings,
  { clock, commands }: Pick<System, "clock" | "commands">,
  environment: NodeJS.ProcessEnv,
  read: TextReader,
): Promise<() => Promise<Credentials>> {
  const access = await findAccess(kubeconfigPath, context, environment, read);
  let token: string | null = null;
  let validUntil = -Infinity;
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
  return async () => {
    const bearer = await freshToken();
    return {
      server: access.server,
      tls: access.tls,
      headers: bearer === null ? access.headers : { ...access.headers, authorization: `Bearer ${bearer}` },
    };
  };
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
      tls: { ca },
      headers: {},
      token: null,
      tokenPath: `${SERVICE_ACCOUNT}/token`,
      exec: null,
    };
  const path =
    kubeconfigPath ?? environment["KUBECONFIG"] ?? `${environment["HOME"] ?? "/root"}/.kube/config`;
  if (path.includes(":"))
    throw new InputError(
      `engine kubernetes: KUBECONFIG names several files: name one by the setting kubeconfig`,
    );
  const text = await read(path);
  if (text === null)
    throw new InputError(
      `engine kubernetes: there is no kubeconfig ${path}: name one by the setting kubeconfig, or run the service in a pod`,
    );
  return readKubeconfig(path, text, context, read);
}
