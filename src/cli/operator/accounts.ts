import type { Command } from "commander";
import { createAccount } from "../../accounts/create-account.ts";
import { normalizeEmail } from "../../accounts/email.ts";
import { createPasswords, requireGoodPassword } from "../../accounts/passwords.ts";
import { OPERATOR_EMAIL, requireAccount } from "../../accounts/require-account.ts";
import { resetPassword } from "../../accounts/reset-password.ts";
import { type Account, selectAccounts } from "../../accounts/store.ts";
import type { Context } from "../../context.ts";
import { ServiceError } from "../../errors.ts";
import { formatTime } from "../../platform/clock.ts";
import { addExamples } from "../examples.ts";
import { type JsonOption, printJson, printOutcome, printStatus } from "../terminal/output.ts";
import { readSecret } from "../terminal/read-secret.ts";
import { printTable } from "../terminal/table.ts";
import { withAccounts, withAccountsOrNew } from "./accounts-database.ts";
import { addSettings } from "./settings.ts";

/** `petstore accounts create|list|reset-password` */
export function addAccountCommands(program: Command): void {
  const accounts = program
    .command("accounts")
    .description("create and list accounts, and reset a forgotten password");
  addExamples(accounts, "petstore accounts create ada@example.com", "petstore accounts list");
  addCreate(accounts);
  addList(accounts);
  addResetPassword(accounts);
}

function addCreate(accounts: Command): void {
  const command = accounts
    .command("create")
    .description("create an account; prompts for the password, or reads it from standard input")
    .argument("<email>", "email address that signs in", normalizeEmail)
    .option("--json", "print JSON");
  addExamples(command, "petstore accounts create ada@example.com < password.txt");
  addSettings(command).action(async (email: string, options: JsonOption) => {
    const passwordHash = await readNewPassword(email);
    const account = await withAccountsOrNew(options, (ctx) => createAccount(ctx, { email, passwordHash }));
    printOutcome(options, describe(account), `Account ${account.email} is created.`);
  });
}

function addList(accounts: Command): void {
  const command = accounts
    .command("list")
    .description("list accounts, newest first")
    .option("--json", "print JSON");
  addExamples(command, "petstore accounts list --json");
  addSettings(command).action(async (options: JsonOption) => {
    const found = await withAccounts(options, ({ query }) => query(selectAccounts, []));
    if (options.json) printJson(found.map(describe));
    else if (found.length === 0)
      printStatus("There are no accounts. Create one: petstore accounts create EMAIL");
    else printTable(["EMAIL", "SIGNS IN", "CREATED"], found.map(rowOf));
  });
}

function addResetPassword(accounts: Command): void {
  const command = accounts
    .command("reset-password")
    .description("set a new password and end all sessions of the account; its API keys stay valid")
    .argument("<email>", "email address of the account", normalizeEmail);
  addExamples(command, "petstore accounts reset-password ada@example.com");
  addSettings(command).action(async (email: string, options: object) => {
    // Before the prompt: a mistyped address fails at once.
    await withAccounts(options, (ctx) => requireAccountWithPassword(ctx, email));
    const passwordHash = await readNewPassword(email);
    await withAccounts(options, async (ctx) => {
      await resetPassword(ctx, { account: await requireAccountWithPassword(ctx, email), passwordHash });
    });
    printStatus(`${email} has a new password, and all its sessions are ended.`);
  });
}

function requireAccountWithPassword(ctx: Context, email: string): Promise<Account> {
  if (email !== OPERATOR_EMAIL) return requireAccount(ctx, email);
  throw new ServiceError(
    "forbidden",
    "The local operator cannot sign in and has no password. Name another account.",
  );
}

async function readNewPassword(email: string): Promise<string> {
  const password = await readSecret("Password");
  requireGoodPassword(password, email);
  return createPasswords().hash(password);
}

function describe({ email, canSignIn, createdAt }: Account) {
  return { email, canSignIn, createdAt: formatTime(createdAt) };
}

function rowOf({ email, canSignIn, createdAt }: Account): readonly string[] {
  return [email, canSignIn ? "yes" : "no", formatTime(createdAt).slice(0, 10)];
}
