import { Command, Option } from "commander";

import type { ServerFlags } from "../../../live/client/client.ts";
import type { TokenView } from "../../../live/store/tokens.ts";
import { addFarmOptions, farmOf, type JobsFlags } from "../../live/farm.ts";
import { local } from "../../live/local-time.ts";
import { table, type Column } from "../../live/tables.ts";
import { duration, positiveInteger } from "../../options.ts";
import { print } from "../../terminal.ts";

interface CreateFlags extends JobsFlags {
  readonly role: string;
  readonly comment?: string;
  readonly expires?: number;
}

const columns: readonly Column<TokenView>[] = [
  { title: "token", text: ({ id }) => String(id), right: true },
  { title: "user", text: ({ user }) => user },
  { title: "role", text: ({ role }) => role },
  { title: "made", text: ({ createdAt }) => local(createdAt) },
  { title: "valid until", text: ({ expiresAt }) => (expiresAt === null ? "" : local(expiresAt)) },
  { title: "", text: ({ comment }) => comment },
];

export function tokenCommand(): Command {
  const command = new Command("token").description("manage who may use a farm over the network");
  const create = new Command("create")
    .description("make a token; it is printed here and never again")
    .argument("<user>", "whose it is; where the farm runs as root, whom jobs run as")
    .addOption(
      new Option("--role <role>", "viewer: sees all; user: own jobs; operator: all jobs and machines; admin")
        .choices(["viewer", "user", "operator", "admin"])
        .default("user"),
    )
    .option("--comment <text>", "what it is for")
    .option("--expires <time>", "for how long it is valid: 30d (for ever)", duration)
    .option("--json", "print {id, token} as JSON");
  const list = new Command("list").description("list the tokens").option("--json", "as a JSON array");
  const revoke = new Command("revoke")
    .description("revoke a token at once")
    .argument("<token>", "its number", positiveInteger);
  command.addCommand(
    addFarmOptions(create).action(
      async (user: string, { role, comment, expires, json, ...server }: CreateFlags) => {
        const body = {
          user,
          role,
          ...(comment === undefined ? {} : { comment }),
          ...(expires === undefined ? {} : { expiresSeconds: expires }),
        };
        const made = await farmOf(server).send<{ token: string }>("POST", "/v1/tokens", body);
        await print(json === true ? JSON.stringify(made) : made.token);
      },
    ),
  );
  command.addCommand(
    addFarmOptions(list).action(async (flags: JobsFlags) => {
      const tokens = await farmOf(flags).get<TokenView[]>("/v1/tokens");
      await print(flags.json === true ? JSON.stringify(tokens, null, 2) : table(columns, tokens));
    }),
  );
  command.addCommand(
    addFarmOptions(revoke).action(async (token: number, flags: ServerFlags) => {
      await farmOf(flags).send("DELETE", `/v1/tokens/${token}`);
    }),
  );
  return command;
}
