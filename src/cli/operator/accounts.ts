import { Argument } from "commander";
import { createAccount, OPERATOR_EMAIL, requireAccount, setRole } from "../../accounts/accounts.ts";
import { normalizeEmail } from "../../accounts/email.ts";
import { resetPassword } from "../../accounts/invitations/password-reset.ts";
import { createPasswords, requireGoodPassword } from "../../accounts/passwords.ts";
import { type Account, selectAccounts } from "../../accounts/store.ts";
import type { Context } from "../../context.ts";
import { ROLES, type Role } from "../../contract/operation.ts";
import { ServiceError } from "../../errors.ts";
import { formatTime } from "../../platform/clock.ts";
import type { Command } from "../command.ts";
import { type JsonOption, printStatus } from "../terminal/output.ts";
import {
  addOutputOptions,
  type OutputOptions,
  outputFormatOf,
  printAll,
  printOutcome,
  type TableFormat,
} from "../terminal/output-formats.ts";
import { readSecret } from "../terminal/prompt.ts";
import { addLinkCommands } from "./account-links.ts";
import { accountArgument, withAccounts, withAccountsOrNew } from "./accounts-database.ts";
import { addMailCommands } from "./mails.ts";
import { addSettings } from "./settings.ts";

export function addCommands(program: Command): void {
  const accounts = program
    .command("accounts")
    .description(
      "create accounts, invite people and set roles; can also reset passwords and send failed emails again",
    )
    .addExamples("petstore accounts create ada@example.com", "petstore accounts list");
  addCreate(accounts);
  addList(accounts);
  addRole(accounts);
  addLinkCommands(accounts);
  addResetPassword(accounts);
  addMailCommands(accounts);
}

function addCreate(accounts: Command) {
  const command = accounts
    .command("create")
    .description(
      "create an account: the first account is the owner's, later ones are for staff; asks for the password, or reads it from standard input",
    )
    .argument("<email>", "email address to sign in with", normalizeEmail)
    .addExamples("petstore accounts create ada@example.com < password.txt");
  addSettings(addOutputOptions(command)).action(async (email: string, options: OutputOptions) => {
    const passwordHash = await readNewPassword(email);
    const account = await withAccountsOrNew(options, (ctx) =>
      createAccount(ctx, { email, passwordHash, role: "staff" }),
    );
    printOutcome(
      options,
      describe(account),
      `Created the account ${account.email} with the role ${account.role}.`,
    );
  });
}

function addList(accounts: Command) {
  const command = accounts
    .command("list")
    .description("list accounts, newest first")
    .addExamples("petstore accounts list --json");
  addSettings(addOutputOptions(command)).action(async (options: OutputOptions) => {
    const found = await withAccounts(options, async ({ query }) => query(selectAccounts, []));
    if (found.length === 0 && outputFormatOf(options) === undefined)
      printStatus("There are no accounts. Create one: petstore accounts create EMAIL");
    else printAll(options, format, found.map(describe));
  });
}

function addRole(accounts: Command) {
  const command = accounts
    .command("role")
    .description(
      "change the role of an account; the account's sessions and keys get the new role within a second",
    )
    .addArgument(accountArgument())
    .addArgument(
      new Argument(
        "<role>",
        "new role: viewer (can read), staff (can also change data) or owner (can also manage people)",
      ).choices(ROLES),
    )
    .option("--json", "print JSON")
    .addExamples("petstore accounts role ada@example.com owner");
  addSettings(command).action(async (email: string, role: Role, options: JsonOption) => {
    const account = await withAccounts(options, async (ctx) => {
      const { id: accountId } = await requireAccountWithPassword(ctx, email);
      return setRole(ctx, { accountId, role });
    });
    printOutcome(options, describe(account), `${email} is ${role === "owner" ? "an owner" : role} now.`);
  });
}

function addResetPassword(accounts: Command) {
  const command = accounts
    .command("reset-password")
    .description("set a new password and sign the account out everywhere; its API keys stay valid")
    .addArgument(accountArgument())
    .addExamples("petstore accounts reset-password ada@example.com");
  addSettings(command).action(async (email: string, options: object) => {
    // The account is looked up before the prompt, so that a mistyped address fails at once.
    await withAccounts(options, (ctx) => requireAccountWithPassword(ctx, email));
    const passwordHash = await readNewPassword(email);
    await withAccounts(options, async (ctx) => {
      await resetPassword(ctx, { account: await requireAccountWithPassword(ctx, email), passwordHash });
    });
    printStatus(`${email} has a new password, and is signed out everywhere.`);
  });
}

function requireAccountWithPassword(ctx: Context, email: string): Promise<Account> {
  if (email !== OPERATOR_EMAIL) return requireAccount(ctx, email);
  throw new ServiceError(
    "forbidden",
    "The local operator cannot sign in: it has no password, and always has an owner's rights. Choose another account.",
  );
}

async function readNewPassword(email: string): Promise<string> {
  const password = await readSecret("Password");
  await requireGoodPassword(password, email);
  return createPasswords().hash(password);
}

function describe({ email, role, canSignIn, createdAt }: Account) {
  return { email, role, canSignIn, createdAt: formatTime(createdAt) };
}

const format: TableFormat<ReturnType<typeof describe>> = {
  plural: "accounts",
  headings: { email: "EMAIL", role: "ROLE", canSignIn: "SIGNS IN", createdAt: "CREATED" },
  cells: {
    canSignIn: (canSignIn) => (canSignIn ? "yes" : "no"),
    createdAt: (createdAt) => createdAt.slice(0, 10),
  },
};
