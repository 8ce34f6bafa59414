import { InvalidArgumentError } from "commander";
import { withTlsVariables } from "../../config/environment.ts";
import { SETTINGS } from "../../config/settings.ts";
import { parseDatabaseUrl } from "../../platform/database-url.ts";
import {
  ADDRESS_EXAMPLES,
  ADDRESS_FORMS,
  mayHoldStore,
  parseStoreAddress,
  type StoreAddress,
} from "../../storage/address.ts";
import type { OnProgress } from "../../storage/backup/backup.ts";
import {
  copyTable,
  countRows,
  type Digest,
  digestTable,
  insertCopyRun,
  removeCopyRun,
  selectCopyRun,
  tablesToCopy,
} from "../../storage/copy/copy.ts";
import type { Database, Table } from "../../storage/database.ts";
import { openDatabase } from "../../storage/open.ts";
import { DATABASE_NAMES, type DatabaseName } from "../../storage/store-files.ts";
import type { Command } from "../command.ts";
import { inSteps } from "../terminal/in-steps.ts";
import type { JsonOption } from "../terminal/output.ts";
import { printOutcome } from "../terminal/output-formats.ts";
import { configOf } from "./settings.ts";

interface CopyOptions extends JsonOption {
  readonly from: StoreAddress;
  readonly to: StoreAddress;
  readonly fromSchemaPrefix?: string;
  readonly toSchemaPrefix?: string;
}

interface TableCopy {
  readonly database: DatabaseName;
  readonly table: Table;
  readonly from: Database;
  readonly to: Database;
}

const PREFIX = `only for a store on a database server (default: ${SETTINGS.databaseSchemaPrefix.variable})`;

export function addCommands(program: Command): void {
  program
    .command("copy")
    .description(
      "copy a whole store to an empty store; also copies the accounts and keys; to continue after an interruption, run the same command again",
    )
    .requiredOption(
      "--from <address>",
      `address of the store to copy from, ${ADDRESS_FORMS}; stop the service of this store first, so that nothing changes during the copy`,
      parseAddress,
    )
    .requiredOption("--to <address>", `address of the empty store to copy to, ${ADDRESS_FORMS}`, parseAddress)
    .option("--from-schema-prefix <prefix>", `prefix of the schemas to copy from, ${PREFIX}`)
    .option("--to-schema-prefix <prefix>", `prefix of the schemas to copy to, ${PREFIX}`)
    .option("--json", "print the number of rows and the checksum of each table, as JSON")
    .action(copyStore)
    .addExamples(`petstore copy --from ${ADDRESS_EXAMPLES[0]} --to ${ADDRESS_EXAMPLES[1]}`);
}

function parseAddress(text: string): StoreAddress {
  const address = parseStoreAddress(withTlsVariables(text));
  if (address === undefined) throw new InvalidArgumentError(`Use ${ADDRESS_FORMS}.`);
  const refusal = parseDatabaseUrl(address.databaseUrl ?? "")?.refusal;
  if (refusal !== undefined) throw new InvalidArgumentError(`The address ${refusal}`);
  return address;
}

async function copyStore(options: CopyOptions) {
  const { databaseSchemaPrefix: usual } = configOf({});
  const from = withPrefix(options.from, options.fromSchemaPrefix ?? usual);
  const to = withPrefix(options.to, options.toSchemaPrefix ?? usual);
  if (!mayHoldStore(from))
    throw new Error(`There is no store at ${from.shown}. Check the address in --from.`);
  await using resources = new AsyncDisposableStack();
  const copies = await openTableCopies(from, to, resources);
  const accounts = copies[0]?.to;
  if (accounts === undefined) throw new Error("There are no tables to copy.");
  await requireEmptyOrBegun(accounts, copies, from.shown, to.shown);

  const digests: Record<string, Digest> = {};
  await inSteps("Run the same command again to continue the copy.", async (onProgress) => {
    for (const copy of copies) await copyRows(copy, onProgress);
    for (const copy of copies) digests[titleOf(copy)] = await compare(copy, onProgress);
  });
  await accounts.run(removeCopyRun, []);
  const rows = Object.values(digests).reduce((sum, digest) => sum + digest.rows, 0);
  printOutcome(
    options,
    digests,
    `Copied ${from.shown} to ${to.shown}: ${rows.toLocaleString("en")} rows. All tables were compared and are equal.`,
  );
}

/**
 * Adds a schema prefix to the address of a store. The address that people see contains the prefix, too, because one database may
 * contain several stores.
 */
function withPrefix(address: StoreAddress, prefix: string): StoreAddress {
  if (address.databaseUrl === undefined || prefix === "") return address;
  const { databaseSchemaPrefix } = configOf({ databaseSchemaPrefix: prefix });
  return { ...address, databaseSchemaPrefix, shown: `${address.shown} (schemas ${prefix}…)` };
}

async function openTableCopies(
  from: StoreAddress,
  to: StoreAddress,
  resources: AsyncDisposableStack,
): Promise<readonly TableCopy[]> {
  const copies: TableCopy[] = [];
  for (const database of DATABASE_NAMES) {
    const source = await openDatabase(database, from);
    resources.defer(() => source.close());
    const target = await openDatabase(database, to);
    resources.defer(() => target.close());
    for (const table of await tablesToCopy(source))
      copies.push({ database, table, from: source, to: target });
  }
  return copies;
}

/**
 * Refuses a target that already contains data, unless an interrupted copy of the same source has written the data.
 *
 * @throws Error
 */
async function requireEmptyOrBegun(
  accounts: Database,
  copies: readonly TableCopy[],
  source: string,
  target: string,
) {
  const [begun] = await accounts.read(selectCopyRun, []);
  if (begun === source) return;
  if (begun !== undefined)
    throw new Error(
      `An earlier copy of ${begun} to ${target} is unfinished. Finish that copy first, or empty ${target}.`,
    );
  for (const { to, table } of copies) {
    if ((await countRows(to, table)) > 0)
      throw new Error(`${target} is not empty. Choose an empty target with --to.`);
  }
  await accounts.run(insertCopyRun, [source]);
}

async function copyRows(copy: TableCopy, onProgress: OnProgress) {
  const total = await countRows(copy.from, copy.table);
  const title = `copying ${titleOf(copy)}`;
  await copyTable(copy.from, copy.to, copy.table, (rows) => onProgress(title, rows, total));
}

/** Compares the digest of a table in the source with the digest of its copy in the target. @throws Error if they differ */
async function compare(copy: TableCopy, onProgress: OnProgress): Promise<Digest> {
  const total = 2 * (await countRows(copy.from, copy.table));
  const title = `comparing ${titleOf(copy)}`;
  const source = await digestTable(copy.from, copy.table, (rows) => onProgress(title, rows, total));
  const target = await digestTable(copy.to, copy.table, (rows) =>
    onProgress(title, source.rows + rows, total),
  );
  if (source.rows !== target.rows || source.checksum !== target.checksum) {
    throw new Error(
      `${titleOf(copy)} differs: ${source.rows} rows in the source, ${target.rows} in the target. ` +
        "Stop the source's service, empty the target, and copy again.",
    );
  }
  return target;
}

function titleOf({ database, table }: TableCopy): string {
  return `${database}.${table.name}`;
}
