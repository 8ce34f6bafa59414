import { type Command, InvalidArgumentError } from "commander";
import {
  ADDRESS_EXAMPLES,
  ADDRESS_FORMS,
  mayHoldStore,
  parseStoreAddress,
  type StoreAddress,
} from "../../storage/address.ts";
import {
  beginCopyRun,
  copyTable,
  countRows,
  type Digest,
  digestTable,
  endCopyRun,
  readCopyRun,
} from "../../storage/copy/copy.ts";
import { TABLES, type Table } from "../../storage/copy/tables.ts";
import type { Database } from "../../storage/database.ts";
import { DATABASE_NAMES, type DatabaseName, openDatabase } from "../../storage/open.ts";
import { addExamples } from "../examples.ts";
import { printJson, printStatus } from "../terminal/output.ts";
import { startProgress } from "../terminal/progress.ts";

interface CopyOptions {
  readonly from: StoreAddress;
  readonly to: StoreAddress;
  readonly json?: true;
}

/** One table on its way from one store to the other. */
interface Passage {
  readonly database: DatabaseName;
  readonly table: Table;
  readonly from: Database;
  readonly to: Database;
}

/** `petstore copy --from ADDRESS --to ADDRESS` */
export function addCopyCommand(program: Command): void {
  const command = program
    .command("copy")
    .description(
      "copy a whole store, its accounts and keys included, into an empty one; goes on where it was interrupted",
    )
    .requiredOption("--from <address>", `${ADDRESS_FORMS}; nobody may write to it meanwhile`, parseAddress)
    .requiredOption("--to <address>", ADDRESS_FORMS, parseAddress)
    .option("--json", "print the counts and checksums as JSON")
    .action(copyStore);
  addExamples(command, `petstore copy --from ${ADDRESS_EXAMPLES[0]} --to ${ADDRESS_EXAMPLES[1]}`);
}

function parseAddress(text: string): StoreAddress {
  const address = parseStoreAddress(text);
  if (address === undefined) throw new InvalidArgumentError(`It takes ${ADDRESS_FORMS}.`);
  return address;
}

async function copyStore({ from, to, json }: CopyOptions): Promise<void> {
  if (!mayHoldStore(from)) throw new Error(`There is no store at ${from.shown}.`);
  await using resources = new AsyncDisposableStack();
  const passages = await openPassages(from, to, resources);
  const accounts = passages[0]?.to;
  if (accounts === undefined) throw new Error("There is nothing to copy.");
  await requireEmptyOrBegun(accounts, passages, from.shown, to.shown);

  for (const passage of passages) await carry(passage);
  const digests: Record<string, Digest> = {};
  for (const passage of passages) digests[titleOf(passage)] = await compare(passage);
  await endCopyRun(accounts);
  if (json) printJson(digests);
  else
    printStatus(
      `Copied ${from.shown} to ${to.shown}: ${sumOf(digests)} rows, every table compared and equal.`,
    );
}

async function openPassages(
  from: StoreAddress,
  to: StoreAddress,
  resources: AsyncDisposableStack,
): Promise<readonly Passage[]> {
  const passages: Passage[] = [];
  for (const database of DATABASE_NAMES) {
    const source = await openDatabase(database, from);
    resources.defer(() => source.close());
    const target = await openDatabase(database, to);
    resources.defer(() => target.close());
    for (const table of TABLES[database]) passages.push({ database, table, from: source, to: target });
  }
  return passages;
}

/** @throws Error when the target holds data that no interrupted copy from here has put there */
async function requireEmptyOrBegun(
  accounts: Database,
  passages: readonly Passage[],
  source: string,
  target: string,
): Promise<void> {
  const begun = await readCopyRun(accounts);
  if (begun === source) return;
  if (begun !== undefined)
    throw new Error(`A copy of ${begun} into ${target} has not ended. Finish that one first.`);
  for (const { to, table } of passages) {
    if ((await countRows(to, table)) > 0)
      throw new Error(`${target} is not empty. A copy needs an empty store.`);
  }
  await beginCopyRun(accounts, source);
}

async function carry(passage: Passage): Promise<void> {
  const total = await countRows(passage.from, passage.table);
  const progress = startProgress(`copying ${titleOf(passage)}`, total);
  await copyTable(passage.from, passage.to, passage.table, progress.update);
  progress.end();
}

/** @throws Error when the two sides differ */
async function compare(passage: Passage): Promise<Digest> {
  const total = await countRows(passage.from, passage.table);
  const progress = startProgress(`comparing ${titleOf(passage)}`, 2 * total);
  const source = await digestTable(passage.from, passage.table, progress.update);
  const target = await digestTable(passage.to, passage.table, (rows) => progress.update(source.rows + rows));
  progress.end();
  if (source.rows !== target.rows || source.checksum !== target.checksum) {
    throw new Error(
      `${titleOf(passage)} differs: ${source.rows} rows there, ${target.rows} here. Was the source written to meanwhile? ` +
        "Empty the target and copy again.",
    );
  }
  return target;
}

function titleOf({ database, table }: Passage): string {
  return `${database}.${table.name}`;
}

function sumOf(digests: Readonly<Record<string, Digest>>): string {
  const rows = Object.values(digests).reduce((sum, digest) => sum + digest.rows, 0);
  return rows.toLocaleString("en");
}
