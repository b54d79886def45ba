import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import type { Engine } from "../engines/engine.ts";
import type { Database } from "../store/database.ts";
import { OutputKeeper } from "./output-keeper.ts";

it("takes a file of the engine's as it is, which needs no room", async () => {
  const data = mkdtempSync(join(tmpdir(), "croft-keeper-"));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const keeper = new OutputKeeper({ get: () => ({ number: 7 }) } as unknown as Database, data);
  const fileOf = (stream: string): string => join(data, stream);
  writeFileSync(fileOf("stdout"), "one\n");
  writeFileSync(fileOf("stderr"), "");
  const output = (): never => {
    throw new Error("nothing is to be copied");
  };
  const outputFile = (_: unknown, stream: string): string => fileOf(stream);
  const engine = { output, outputFile } as unknown as Engine;
  const id = { job: "j", attempt: 1 };
  await keeper.keep(engine, id);
  // Once more, as after a kill of the service.
  await keeper.keep(engine, id);
  const folder = join(data, "jobs", "7");
  const [name, ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  expect(statSync(join(folder, name)).ino).toBe(statSync(fileOf("stdout")).ino);
});

it("keeps what an engine has whole or not at all: a part of it would keep a full disk full", async () => {
  const data = mkdtempSync(join(tmpdir(), "croft-keeper-"));
  onTestFinished(() => rmSync(data, { recursive: true }));
  const keeper = new OutputKeeper({ get: () => ({ number: 7 }) } as unknown as Database, data);
  const pieces = ["one\n", "two\n", ""];
  let left = 1;
  const output = async (_: unknown, stream: string): Promise<Uint8Array | null> => {
    if (stream === "stderr") return null;
    if (left-- === 0) throw new Error("ENOSPC");
    return Buffer.from(pieces.shift()!);
  };
  const engine = { output } as unknown as Engine;
  const id = { job: "j", attempt: 1 };
  await expect(keeper.keep(engine, id)).rejects.toThrow("ENOSPC");
  const folder = join(data, "jobs", "7");
  expect(readdirSync(folder)).toEqual([]);
  left = Infinity;
  pieces.unshift("one\n");
  await keeper.keep(engine, id);
  const [name, ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  expect(readFileSync(join(folder, name), "utf8")).toBe("one\ntwo\n");
});
