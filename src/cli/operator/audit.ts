import { listAuditEntries } from "../../accounts/audit/audit.ts";
import type { AuditEntry } from "../../accounts/audit/contract.ts";
import { LISTED_DEFAULT, PAGE_SIZE_MAX } from "../../limits.ts";
import type { Command } from "../command.ts";
import { positiveInteger } from "../remote/argument-parsers.ts";
import { printStatus } from "../terminal/output.ts";
import {
  addOutputOptions,
  type OutputOptions,
  outputFormatOf,
  printAll,
  type RowFormat,
} from "../terminal/output-formats.ts";
import { withAuditSources } from "./accounts-database.ts";
import { addSettings } from "./settings.ts";

const OPERATOR = { kind: "operator" } as const;

export function addCommands(program: Command): void {
  const command = program
    .command("audit")
    .description(
      "list who changed accounts, roles, invitations, keys and webhooks, and who signed in or failed to; newest first",
    )
    .option("--limit <count>", "maximum number to show", positiveInteger, LISTED_DEFAULT)
    .addExamples("petstore audit", "petstore audit --limit 1000 --json");
  addSettings(addOutputOptions(command)).action(async (options: OutputOptions & { limit: number }) => {
    const entries = await withAuditSources(options, async (sources) => {
      const found: AuditEntry[] = [];
      let cursor: string | undefined;
      do {
        const limit = Math.min(PAGE_SIZE_MAX, options.limit - found.length);
        const page = await listAuditEntries(OPERATOR, sources, { limit, cursor });
        found.push(...page.items);
        cursor = page.next;
      } while (cursor !== undefined && found.length < options.limit);
      return found;
    });
    if (entries.length === 0 && outputFormatOf(options) === undefined)
      printStatus("The audit list is empty.");
    else printAll(options, format, entries);
  });
}

const format: RowFormat<AuditEntry> = {
  plural: "audit entries",
  columns: ["TIME", "BY", "FROM", "ACTION", "SUBJECT", "DETAIL"],
  row: rowOf,
  members: ["id", "at", "action", "actor", "address", "environment", "subject", "detail", "times"],
};

function rowOf({ at, actor, address, action, subject, detail, times }: AuditEntry): readonly string[] {
  const by = actor.name === "" ? actor.kind : actor.name;
  const time = at.slice(0, 19).replace("T", " ");
  return [time, by, address ?? "command line", action, subject, times > 1 ? `${times} times` : detail];
}
