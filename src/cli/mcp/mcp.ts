import type { Command } from "commander";
import { addExamples } from "../examples.ts";
import { addRemoteOptions } from "../remote/connection.ts";
import type { McpOptions } from "./serve-tools.ts";

/** `petstore mcp` */
export function addMcpCommand(program: Command): void {
  const command = program
    .command("mcp")
    .description(
      "give an agent the store's operations as tools (Model Context Protocol), over standard input and output until its end",
    )
    .option("--write", "also the operations that change something (default: only those that read)");
  addRemoteOptions(command, ["url", "messagesUrl"]).action(async (options: McpOptions) =>
    (await import("./serve-tools.ts")).serveTools(options),
  );
  addExamples(command, "petstore mcp", "petstore mcp --environment staging --write");
}
