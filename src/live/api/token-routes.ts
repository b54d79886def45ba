import { Type } from "typebox";

import { MOST_TOKENS } from "../limits.ts";
import { Refusal } from "../refusal.ts";
import { countTokens, hasToken } from "../store/tokens.ts";
import { asJson, type Route } from "./api.ts";
import { listOf, integer } from "./schema-parts.ts";
import { json, ref } from "./answers.ts";
import { TokenBody, TokenParams } from "./token-schemas.ts";

export const tokenRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/v1/tokens",
    summary: "make a token for somebody; its text is told here and never again",
    role: "admin",
    body: TokenBody,
    answers: json(ref("NewToken")),
    async handle({ body, identity }, { service, database, grants }) {
      const { user, role, comment = "", expiresSeconds } = body as TokenBody;
      if (!(await grants.knows(user)))
        throw new Refusal(
          422,
          `there is no user ${user} on the farm's machine: whoever gets that name later would be taken for the token's; for a user of this farm alone, name ${user} in the farm's file (groups: { …: { users: [${user}] } })`,
        );
      return service.loop.act((turn) => {
        if (countTokens(database) >= MOST_TOKENS)
          throw new Refusal(409, "there are too many tokens: revoke some");
        const expires = expiresSeconds === undefined ? null : turn.unixSeconds + expiresSeconds;
        const { id, text, write } = service.tokens.make({ user, role, comment }, turn.unixSeconds, expires);
        turn.write(write.sql, ...write.values);
        turn.event("token-made", { actor: identity.user, text: `token ${id} for ${user}, ${role}` });
        return { id, token: text };
      });
    },
  },
  {
    method: "GET",
    path: "/v1/tokens",
    summary: "list the tokens, without their texts",
    role: "admin",
    answers: json(listOf(ref("Token"))),
    handle: async (_, { lists }) => asJson(await lists.do("tokens", {})),
  },
  {
    method: "DELETE",
    path: "/v1/tokens/:token",
    summary: "revoke a token at once",
    role: "admin",
    params: TokenParams,
    answers: json(Type.Object({ id: integer() })),
    async handle({ params, identity }, { service, database }) {
      const id = Number((params as TokenParams).token);
      if (!hasToken(database, id)) throw new Refusal(404, `there is no token ${id}`);
      await service.loop.act((turn) => {
        turn.write("UPDATE token SET revoked_at = ? WHERE id = ?", turn.unixSeconds, id);
        turn.event("token-revoked", { actor: identity.user, text: `token ${id}` });
      });
      return { id };
    },
  },
];
