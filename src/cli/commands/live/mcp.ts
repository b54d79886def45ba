import { Command } from "commander";

import type { ServerFlags } from "../../../live/client/client.ts";
import { liveStatuses } from "../../live/exit-status.ts";
import { addFarmOptions, farmOf } from "../../live/farm.ts";
import { say } from "../../terminal.ts";
import type { DataFlags } from "../../whatif/data.ts";

export function mcpCommand(): Command {
  const command = new Command("mcp").description(
    "answer an assistant's questions about a farm: a read-only server of the Model Context Protocol on standard input and output",
  );
  command.option(
    "--data <folder>",
    "the farm's data folder, or a backup: then assistants can also try policies on its past (what_if)",
  );
  return addFarmOptions(command).action(async ({ data, ...server }: ServerFlags & DataFlags) => {
    // A farm that is named wrongly is told at once.
    const farm = farmOf(server);
    const [{ mcpServer }, { whatIfTool, runCroft }, { StdioServerTransport }, { LimitedLines }] =
      await Promise.all([
        import("../../mcp/server.ts"),
        import("../../mcp/what-if.ts"),
        import("@modelcontextprotocol/sdk/server/stdio.js"),
        import("../../mcp/limited-lines.ts"),
      ]);
    const lines = new LimitedLines();
    const ended = Promise.withResolvers<void>();
    lines.on("error", (error) => {
      say(`croft: ${error.message}: ending`);
      process.exitCode = liveStatuses.other[0];
      process.stdin.destroy();
      ended.resolve();
    });
    lines.on("end", ended.resolve);
    const answering = mcpServer(farm, data === undefined ? [] : [whatIfTool(data, runCroft)]);
    await answering.connect(new StdioServerTransport(process.stdin.pipe(lines), process.stdout));
    await ended.promise;
    await answering.close();
  });
}
