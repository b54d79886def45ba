import { Type, type Static } from "typebox";

import { oneOf } from "./schema-parts.ts";
import { roles } from "../identity.ts";
import { exact, form, text } from "./input-parts.ts";

/** What comes in of tokens. */

export const TokenBody = Type.Object(
  {
    user: Type.String({
      ...form(
        "^[A-Za-z_][A-Za-z0-9_.@-]{0,99}$",
        "a name: a letter or _, then letters, digits and _ . @ -, at most 100 characters",
      ),
      description: "whose it is; where the farm runs as root, whom jobs run as",
    }),
    role: oneOf(roles),
    comment: Type.Optional(text(200, "what it is for")),
    expiresSeconds: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1e9,
        description: "for how long it is valid; for ever unless given",
      }),
    ),
  },
  exact,
);
export type TokenBody = Static<typeof TokenBody>;

export const TokenParams = Type.Object({
  token: Type.String(form("^[1-9][0-9]{0,9}$", "the number of a token")),
});
export type TokenParams = Static<typeof TokenParams>;
