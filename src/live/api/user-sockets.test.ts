import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";

import Fastify from "fastify";
import { expect, it, onTestFinished } from "vitest";

import { Client } from "../client/client.ts";
import { socketDoor } from "./authentication.ts";
import type { Identity } from "../identity.ts";
import { listenOnSocket } from "./listening.ts";
import { UserSockets, type Member } from "./user-sockets.ts";

/** A farm that tells who asks, at its own socket and at those of its members. */
async function doors() {
  const top = mkdtempSync(join(tmpdir(), "croft-users-"));
  chmodSync(top, 0o755);
  const app = Fastify({ forceCloseConnections: true });
  let members: ReadonlyMap<string, Member> | Error = new Map();
  const said: string[] = [];
  const sockets = new UserSockets({
    app,
    folder: join(top, "users"),
    members: () => (members instanceof Error ? Promise.reject(members) : Promise.resolve(members)),
    say: (text) => said.push(text),
  });
  const identify = socketDoor({ user: "owner", role: "admin" }, (connection) =>
    sockets.identityOf(connection),
  );
  app.setErrorHandler((error: Error & { status?: number }, _, reply) =>
    reply.code(error.status ?? 500).send({ error: error.message }),
  );
  let stands: () => boolean = () => true;
  app.get("/who", (request) => {
    const { socket } = request.raw;
    stands = () => sockets.stands(socket);
    return identify(request);
  });
  await listenOnSocket(app, join(top, "s"));
  await sockets.start();
  onTestFinished(async () => {
    sockets.stop();
    await app.close();
    rmSync(top, { recursive: true, force: true });
  });
  const pathOf = (name: string): string => join(top, "users", `${name}.sock`);
  return {
    sockets,
    said,
    pathOf,
    top,
    /** Whether whoever asked last still may. */
    standing: () => stands(),
    become: (next: Readonly<Record<string, Member["role"]>> | Error) => {
      members =
        next instanceof Error
          ? next
          : new Map(Object.entries(next).map(([name, role]) => [name, { uid: userInfo().uid, role }]));
      return sockets.look();
    },
    who: (path: string) => new Client({ socket: path }).get<Identity>("/who"),
  };
}

it("tells by the socket who asks: each member by his own, and the owner by the farm's", async () => {
  const { become, pathOf, who, top } = await doors();
  await become({ ann: "user", bob: "operator" });
  expect(await who(pathOf("ann"))).toEqual({ user: "ann", role: "user" });
  expect(await who(pathOf("bob"))).toEqual({ user: "bob", role: "operator" });
  expect(await who(join(top, "s"))).toEqual({ user: "owner", role: "admin" });
  expect(statSync(pathOf("ann")).mode & 0o777).toBe(0o600);
  expect(statSync(pathOf("ann")).uid).toBe(userInfo().uid);
  expect(statSync(join(top, "users")).mode & 0o777).toBe(0o755);
});

it("follows who is a member, and with what role", async () => {
  const { become, pathOf, who } = await doors();
  await become({ ann: "user", bob: "user" });
  await become({ ann: "admin" });
  expect(await who(pathOf("ann"))).toEqual({ user: "ann", role: "admin" });
  expect(existsSync(pathOf("bob"))).toBe(false);
  await become({ bob: "user" });
  expect(await who(pathOf("bob"))).toEqual({ user: "bob", role: "user" });
  expect(existsSync(pathOf("ann"))).toBe(false);
});

it("lets nobody go on by a connection of before who is no member any more", async () => {
  const { become, pathOf, sockets, standing } = await doors();
  await become({ ann: "user" });
  const { Agent, request } = await import("node:http");
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const ask = (): Promise<number> =>
    new Promise((resolve, reject) => {
      request({ socketPath: pathOf("ann"), path: "/who", agent }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode!));
      })
        .on("error", reject)
        .end();
    });
  expect(await ask()).toBe(200);
  expect(standing()).toBe(true);
  await become({});
  // What is followed ends.
  expect(standing()).toBe(false);
  expect(await ask()).toBe(403);
  sockets.stop();
});

it("makes a socket again that was removed, and keeps all while nobody can tell who is a member", async () => {
  const { become, pathOf, who, said } = await doors();
  await become({ ann: "user" });
  rmSync(pathOf("ann"));
  await become({ ann: "user" });
  expect(await who(pathOf("ann"))).toEqual({ user: "ann", role: "user" });
  await become(new Error("no directory"));
  await become(new Error("no directory"));
  expect(await who(pathOf("ann"))).toEqual({ user: "ann", role: "user" });
  expect(said).toEqual(["sockets of users stay as they are: no directory"]);
});

it("says who has no socket because its path would be too long", async () => {
  const { become, pathOf, said, who } = await doors();
  await become({ ["x".repeat(100)]: "user", ann: "user" });
  expect(said).toEqual([
    expect.stringMatching(/^x{100} has no socket: its path would be longer than 107 bytes$/),
  ]);
  expect((await who(pathOf("ann"))).user).toBe("ann");
});

/** Those of another farm, which has no users yet. */
function others(top: string, said: string[] = []): UserSockets {
  return new UserSockets({
    app: Fastify(),
    folder: join(top, "users"),
    members: () => Promise.resolve(new Map()),
    say: (text) => said.push(text),
  });
}

it("refuses the place where another farm has the sockets of its users, and takes it over from one that died", async () => {
  const { become, pathOf, who, top, sockets } = await doors();
  await become({ ann: "user" });
  await expect(others(top).start()).rejects.toThrow(
    `${join(top, "users")}: users of another farm have their sockets there: give --socket in another folder`,
  );
  expect((await who(pathOf("ann"))).user).toBe("ann");
  sockets.stop();
  writeFileSync(pathOf("ann"), "");
  const next = others(top);
  await next.start();
  next.stop();
});

it("says that users do not get to their sockets where the folder above is closed", async () => {
  const { top } = await doors();
  chmodSync(top, 0o700);
  const said: string[] = [];
  const next = others(top, said);
  await next.start();
  next.stop();
  expect(said).toEqual([
    `users do not get to their sockets, since ${top} is closed to them: chmod go+x ${top}`,
  ]);
});
