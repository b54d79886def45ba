import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { InputError } from "../../../workload/errors.ts";
import { VirtualClock } from "../system/virtual-clock.fixture.ts";
import { findCredentials, readText } from "./credentials.ts";
import { readSettings } from "./settings.ts";

const CONFIG = "/etc/croft/kubeconfig";

interface Given {
  readonly files?: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly environment?: NodeJS.ProcessEnv;
  readonly run?: () => { status: number | null; stdout: string; stderr: string };
}

async function found({ files = {}, settings = {}, environment = {}, run }: Given) {
  const clock = new VirtualClock();
  const texts = new Map(Object.entries(files));
  const read = readSettings({ namespace: "croft", image: "image", ...settings });
  const commands = { run: async () => run!() };
  const reader = async (path: string): Promise<string | null> => texts.get(path) ?? null;
  return { clock, texts, credentials: await findCredentials(read, { clock, commands }, environment, reader) };
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

function config(user: string, cluster = ""): string {
  return `
current-context: one
contexts:
  - { name: one, context: { cluster: c, user: u } }
  - { name: two, context: { cluster: c, user: nobody } }
  - { name: three, context: { cluster: gone, user: u } }
  - { name: four, context: { cluster: c, user: gone } }
clusters:
  - { name: c, cluster: { server: "https://k8s:6443"${cluster} } }
users:
  - { name: u, user: { ${user} } }
  - { name: nobody }
`;
}

describe("credentials", () => {
  it("are a kubeconfig's token, and its certificates", async () => {
    const text = config(
      `token: secret, client-certificate: cert.pem, client-key-data: ${base64("KEY")}`,
      `, certificate-authority-data: ${base64("CA")}, tls-server-name: other`,
    );
    const { credentials } = await found({
      files: { [CONFIG]: text, "/etc/croft/cert.pem": "CERT" },
      settings: { kubeconfig: CONFIG },
    });
    expect(await credentials()).toEqual({
      origin: expect.anything() as unknown,
      server: "https://k8s:6443",
      tls: { ca: "CA", cert: "CERT", key: "KEY", servername: "other" },
      headers: { authorization: "Bearer secret" },
    });
  });

  it("are of the context that is asked for, in the file of KUBECONFIG or of the home folder", async () => {
    for (const [path, environment] of [
      ["/a/k", { KUBECONFIG: "/a/k" }],
      ["/home/a/.kube/config", { HOME: "/home/a" }],
    ] as const) {
      const { credentials } = await found({
        files: { [path]: config("token: secret", ", insecure-skip-tls-verify: true") },
        settings: { context: "two" },
        environment,
      });
      expect(await credentials()).toEqual({
        origin: expect.anything() as unknown,
        server: "https://k8s:6443",
        tls: { rejectUnauthorized: false },
        headers: {},
      });
    }
  });

  it("are a user and a password", async () => {
    const { credentials } = await found({
      files: { [CONFIG]: config("username: me, password: secret") },
      settings: { kubeconfig: CONFIG },
    });
    expect((await credentials()).headers).toEqual({ authorization: `Basic ${base64("me:secret")}` });
  });

  it("are a pod's service account, whose token is read again", async () => {
    const folder = "/var/run/secrets/kubernetes.io/serviceaccount";
    const { clock, texts, credentials } = await found({
      files: { [`${folder}/ca.crt`]: "CA", [`${folder}/token`]: "first\n" },
      environment: { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "6443" },
    });
    expect(await credentials()).toEqual({
      origin: expect.anything() as unknown,
      server: "https://[fd00::1]:6443",
      tls: { ca: "CA" },
      headers: { authorization: "Bearer first" },
    });
    texts.set(`${folder}/token`, "second");
    expect((await credentials()).headers["authorization"]).toBe("Bearer first");
    await clock.pass(61);
    expect((await credentials()).headers["authorization"]).toBe("Bearer second");
  });

  it("are what a program prints, until that expires", async () => {
    let runs = 0;
    const clockStart = new VirtualClock().unixSeconds();
    const { clock, credentials } = await found({
      files: { [CONFIG]: config("exec: { command: get-token, args: [a], env: [{ name: A, value: b }] }") },
      settings: { kubeconfig: CONFIG },
      run: () => {
        const expirationTimestamp = new Date((clockStart + 600) * 1000).toISOString();
        const stdout = JSON.stringify({ status: { token: `token-${++runs}`, expirationTimestamp } });
        return { status: 0, stdout, stderr: "" };
      },
    });
    for (let call = 0; call < 3; call++)
      expect((await credentials()).headers["authorization"]).toBe("Bearer token-1");
    await clock.pass(545);
    expect((await credentials()).headers["authorization"]).toBe("Bearer token-2");
  });

  it("are read anew where they are refused, and say what is to be renewed", async () => {
    const claims = Buffer.from(JSON.stringify({ sub: "system:serviceaccount:croft:runner" })).toString(
      "base64url",
    );
    const { clock, texts, credentials } = await found({
      files: { [CONFIG]: config(`token: a.${claims}.b`) },
      settings: { kubeconfig: CONFIG },
    });
    const first = await credentials();
    expect(first.origin).toEqual({
      path: CONFIG,
      what: `the token in ${CONFIG}`,
      renewal:
        "put a new one there, which kubectl create token runner -n croft --duration=8760h prints: it is read by itself",
    });
    texts.set(CONFIG, config("token: second"));
    expect((await credentials()).headers).toEqual(first.headers);
    expect((await credentials("refused")).headers["authorization"]).toBe("Bearer second");
    // A file that is being written is no reason to have none.
    texts.set(CONFIG, "{");
    await clock.pass(60);
    expect((await credentials("refused")).headers["authorization"]).toBe("Bearer second");
  });

  it("are read anew where no server is reached by them, without a program that prints the same token", async () => {
    let runs = 0;
    const user = "exec: { command: get-token }";
    const { clock, texts, credentials } = await found({
      files: { [CONFIG]: config(user, `, certificate-authority-data: ${base64("OLD")}`) },
      settings: { kubeconfig: CONFIG },
      run: () => ({ status: 0, stdout: `{"status":{"token":"token-${++runs}"}}`, stderr: "" }),
    });
    await credentials();
    texts.set(
      CONFIG,
      config(user, `, certificate-authority-data: ${base64("NEW")}`).replace("k8s:6443", "k8s:443"),
    );
    expect(await credentials()).toMatchObject({ server: "https://k8s:6443", tls: { ca: "OLD" } });
    expect(await credentials("unreached")).toMatchObject({
      server: "https://k8s:443",
      tls: { ca: "NEW" },
      headers: { authorization: "Bearer token-1" },
    });
    // A server that is away says nothing of a token that was refused.
    expect((await credentials("refused")).headers["authorization"]).toBe("Bearer token-2");
    await clock.pass(60);
    texts.delete(CONFIG);
    expect(await credentials("unreached")).toMatchObject({ server: "https://k8s:443" });
  });

  it("name what is to be renewed, of each kind", async () => {
    for (const [user, what] of [
      ["tokenFile: token", "the token in /etc/croft/token"],
      ["exec: { command: get-token }", "the token that get-token prints"],
      ["username: ada, password: secret", `the user or the password in ${CONFIG}`],
      ["client-certificate-data: YQ==, client-key-data: YQ==", `the client certificate in ${CONFIG}`],
      ["", `the user, who has no token and no certificate, in ${CONFIG}`],
    ] as const) {
      const { credentials } = await found({
        files: { [CONFIG]: config(user), "/etc/croft/token": "t" },
        settings: { kubeconfig: CONFIG },
        run: () => ({ status: 0, stdout: '{"status":{"token":"t"}}', stderr: "" }),
      });
      expect((await credentials()).origin?.what).toBe(what);
    }
  });

  it("are read through links, which a service account's files are", async () => {
    const folder = mkdtempSync(join(tmpdir(), "croft-credentials-"));
    try {
      writeFileSync(join(folder, "data"), "secret");
      symlinkSync("data", join(folder, "token"));
      expect(await readText(join(folder, "token"))).toBe("secret");
      expect(await readText(join(folder, "missing"))).toBeNull();
      await expect(readText(folder)).rejects.toThrow("cannot be read");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("fail with what their program says", async () => {
    const { credentials } = await found({
      files: { [CONFIG]: config("exec: { command: get-token }") },
      settings: { kubeconfig: CONFIG },
      run: () => ({ status: 1, stdout: "", stderr: "log in first\n" }),
    });
    await expect(credentials()).rejects.toThrow("get-token: log in first");
  });

  it.each<[string, Given, string | RegExp]>([
    ["there is none", {}, "there is no kubeconfig /root/.kube/config: name one by the setting kubeconfig"],
    [
      "none where the setting says",
      { settings: { kubeconfig: "/a:b" } },
      "there is no kubeconfig /a:b: put one there, or correct the setting kubeconfig",
    ],
    [
      "none where the variable says",
      { environment: { KUBECONFIG: "/a" } },
      "there is no kubeconfig /a: correct KUBECONFIG, or name one",
    ],
    ["a variable that is empty", { environment: { KUBECONFIG: "" } }, "kubeconfig /root/.kube/config"],
    ["there are several", { environment: { KUBECONFIG: "/a:/b" } }, "names several files"],
    [
      "another context",
      { files: { [CONFIG]: config("") }, settings: { context: "x" } },
      "there is no context x: name one of one, two, three, four by the setting context",
    ],
    [
      "a context without its cluster",
      { files: { [CONFIG]: config("") }, settings: { context: "three" } },
      "there is no cluster gone, which its context three names",
    ],
    [
      "a context without its user",
      { files: { [CONFIG]: config("") }, settings: { context: "four" } },
      "there is no user gone, whom its context four names",
    ],
    ["no YAML", { files: { [CONFIG]: "a: [" } }, /it is no YAML: .*, column 5$/],
    ["a list", { files: { [CONFIG]: "[]" } }, "it is no kubeconfig"],
    ["a text", { files: { [CONFIG]: "hello" } }, "it is no kubeconfig"],
    ["no context", { files: { [CONFIG]: "clusters: []" } }, "it has no current context: it has no contexts"],
    ["a missing file", { files: { [CONFIG]: config("client-key: key.pem") } }, "there is no file key.pem"],
    ["a proxy", { files: { [CONFIG]: config("", ', proxy-url: "http://p"') } }, "proxy-url is not supported"],
    ["auth-provider", { files: { [CONFIG]: config("auth-provider: {}") } }, "auth-provider is not supported"],
  ])("cannot be found: %s", async (_what, given, message) => {
    const settings = { ...(given.files === undefined ? {} : { kubeconfig: CONFIG }), ...given.settings };
    const looking = found({ ...given, settings });
    await expect(looking).rejects.toThrow(InputError);
    await expect(looking).rejects.toThrow(message);
  });
});
