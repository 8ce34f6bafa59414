import type { Command } from "commander";
import { createAccount } from "../accounts/create-account.ts";
import { normalizeEmail } from "../accounts/email.ts";
import { listAccounts } from "../accounts/list-accounts.ts";
import { hashPassword } from "../accounts/password.ts";
import type { Account } from "../accounts/store.ts";
import { formatTime } from "../clock.ts";
import { withAccounts } from "./accounts-database.ts";
import { note, printJson, printTable } from "./output.ts";
import { readPassword } from "./read-password.ts";
import { addSettings, configOf } from "./settings.ts";

/** `petstore accounts create|list` */
export function addAccountCommands(program: Command): void {
  const accounts = program.command("accounts").description("make and list accounts");
  addCreate(accounts);
  addList(accounts);
}

function addCreate(accounts: Command): void {
  const command = accounts
    .command("create")
    .description("make an account; the password is asked for, or read from standard input")
    .argument("<email>", "the address it is known by")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  petstore accounts create ada@example.com < password.txt");
  addSettings(command, ["dataDir", "databaseUrl"]).action(async (given: string, options: { json?: true }) => {
    const email = normalizeEmail(given);
    const passwordHash = await hashPassword(await readPassword());
    const account = await withAccounts(configOf({ ...options }), (ctx) =>
      createAccount(ctx, { email, passwordHash }),
    );
    if (options.json) printJson(describe(account));
    else note(`There is now an account for ${account.email}.`);
  });
}

function addList(accounts: Command): void {
  const command = accounts
    .command("list")
    .description("list accounts, newest first")
    .option("--json", "print JSON");
  addSettings(command, ["dataDir", "databaseUrl"]).action(async (options: { json?: true }) => {
    const found = await withAccounts(configOf({ ...options }), listAccounts);
    if (options.json) printJson(found.map(describe));
    else if (found.length === 0) note("There are no accounts. Make one: petstore accounts create EMAIL");
    else printTable(["EMAIL", "SIGNS IN", "CREATED"], found.map(rowOf));
  });
}

function describe({ email, canSignIn, createdAt }: Account) {
  return { email, canSignIn, createdAt: formatTime(createdAt) };
}

function rowOf({ email, canSignIn, createdAt }: Account): readonly string[] {
  return [email, canSignIn ? "yes" : "no", formatTime(createdAt).slice(0, 10)];
}
