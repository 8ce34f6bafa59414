import type { Command } from "../command.ts";
import { wordsOption } from "../remote/argument-parsers.ts";
import { addRemoteOptions } from "../remote/connection.ts";
import type { McpOptions } from "./serve-tools.ts";

const DEFAULT_SETS = ["pets", "categories", "orders", "events"];
/**
 * Sets of tools that are served only if a person names them in `--tools`. Some of these tools could send events to strangers, and
 * an instruction in an animal's name may mislead an agent into doing so.
 */
const NAMED_SETS = ["webhooks", "messages", "key", "rehearsal"];

export function addCommands(program: Command): void {
  const command = program
    .command("mcp")
    .description(
      "offer the store's operations as tools to an AI agent; speaks the Model Context Protocol on standard input and output, until the input ends",
    )
    .option("--write", "include operations that change data (default: only operations that read)")
    .addOption(
      wordsOption("--tools <sets>", "which sets of operations to offer as tools", [
        ...DEFAULT_SETS,
        ...NAMED_SETS,
      ]).default(DEFAULT_SETS, DEFAULT_SETS.join()),
    )
    .addExamples("petstore mcp", "petstore mcp --environment staging --write --tools pets,orders,webhooks");
  addRemoteOptions(command, ["url", "messagesUrl"]).action(async (options: McpOptions) =>
    (await import("./serve-tools.ts")).serveTools(options),
  );
}
