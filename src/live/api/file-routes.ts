import { Type, type Static } from "typebox";

import { MOST_FILE_BYTES, MOST_PART_BYTES } from "../limits.ts";
import { Refusal } from "../refusal.ts";
import { Raw, type Route } from "./api.ts";
import { json, ref } from "./answers.ts";
import { exact, form } from "./input-parts.ts";
import { integer } from "./schema-parts.ts";

const FileParams = Type.Object({
  hash: Type.String({
    ...form("^[0-9a-f]{64}$", "a SHA-256: 64 digits 0 to 9 and a to f"),
    description: "of its bytes",
  }),
});

const byte = (description: string) => Type.Integer({ minimum: 0, maximum: MOST_FILE_BYTES, description });

const FileQuery = Type.Object({ from: Type.Optional(byte("where to begin")) }, exact);

const FilePart = Type.Object(
  {
    from: byte("where in the file this part begins: so much must be there"),
    size: byte("of the whole file"),
    base64: Type.String({
      ...form("^[A-Za-z0-9+/]*={0,2}$", "bytes in base64"),
      maxLength: Math.ceil(MOST_PART_BYTES / 3) * 4,
      description: "the part; empty: only asks how much is there",
    }),
  },
  exact,
);

export const fileRoutes: readonly Route[] = [
  {
    method: "PUT",
    path: "/v1/files/:hash",
    summary: "send a file that jobs fetch, part by part; one that is there is not taken again",
    role: "user",
    params: FileParams,
    body: FilePart,
    answers: json(ref("SentFile")),
    handle({ params, body }, farm) {
      const { from, size, base64 } = body as Static<typeof FilePart>;
      return farm.files.add(
        (params as Static<typeof FileParams>).hash,
        from,
        size,
        Buffer.from(base64, "base64"),
      );
    },
  },
  {
    method: "GET",
    path: "/v1/files/:hash",
    summary: "read a file that was sent, from a byte on",
    role: "viewer",
    params: FileParams,
    query: FileQuery,
    answers: { "application/octet-stream": {} },
    answerHeaders: {
      "croft-next-byte": integer("where the next read begins"),
      "croft-file-bytes": integer("of the whole file"),
    },
    async handle({ params, query }, farm) {
      const { hash } = params as Static<typeof FileParams>;
      const { from = 0 } = query as Static<typeof FileQuery>;
      const found = await farm.files.read(hash, from);
      if (found === null) throw new Refusal(404, `there is no file ${hash}, or it is not whole`);
      return new Raw("application/octet-stream", found.bytes, {
        "croft-next-byte": String(from + found.bytes.length),
        "croft-file-bytes": String(found.size),
      });
    },
  },
];
