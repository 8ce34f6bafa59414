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
  type RowFormat,
  startRecords,
} from "../terminal/output-formats.ts";
import { withAuditSources } from "./accounts-database.ts";
import { addSettings } from "./settings.ts";

const OPERATOR = { kind: "operator" } as const;

export function addCommands(program: Command): void {
  const command = program
    .command("audit")
    .description(
      "list the audit log, newest first; it contains sign-ins, failed sign-ins, and changes to accounts, roles, invitations, keys and webhooks",
    )
    .option("--limit <count>", "maximum number of entries to show", positiveInteger, LISTED_DEFAULT)
    .addExamples("petstore audit", "petstore audit --limit 1000 --json");
  addSettings(addOutputOptions(command)).action(async (options: OutputOptions & { limit: number }) => {
    const records = startRecords(options, format);
    let printed = 0;
    await withAuditSources(options, async (sources) => {
      let cursor: string | undefined;
      do {
        const limit = Math.min(PAGE_SIZE_MAX, options.limit - printed);
        const page = await listAuditEntries(OPERATOR, sources, { limit, cursor });
        records.add(page.items);
        printed += page.items.length;
        cursor = page.next;
      } while (cursor !== undefined && printed < options.limit);
    });
    records.end();
    if (printed === 0 && outputFormatOf(options) === undefined) printStatus("The audit log is empty.");
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
