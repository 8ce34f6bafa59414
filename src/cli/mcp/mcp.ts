import type { Command } from "../command.ts";
import { addRemoteOptions } from "../remote/connection.ts";
import type { McpOptions } from "./serve-tools.ts";

export function addCommands(program: Command): void {
  const command = program
    .command("mcp")
    .description(
      "give an agent the store's operations as tools; by the Model Context Protocol, over standard input and output, until the input ends",
    )
    .option("--write", "also the operations that change something (default: only those that read)")
    .addExamples("petstore mcp", "petstore mcp --environment staging --write");
  addRemoteOptions(command, ["url", "messagesUrl"]).action(async (options: McpOptions) =>
    (await import("./serve-tools.ts")).serveTools(options),
  );
}
