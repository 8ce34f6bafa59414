import { Argument, Option } from "commander";
import {
  createAccount,
  lacksOwner,
  OPERATOR_EMAIL,
  requireAccount,
  setRole,
} from "../../accounts/accounts.ts";
import { normalizeEmail } from "../../accounts/email.ts";
import type { NewLink } from "../../accounts/invitations/invitations.ts";
import { createInvitation } from "../../accounts/invitations/invitations.ts";
import { createResetLink, resetPassword } from "../../accounts/invitations/password-reset.ts";
import { createPasswords, requireGoodPassword } from "../../accounts/passwords.ts";
import { type Account, selectAccounts } from "../../accounts/store.ts";
import { configuredAddress } from "../../api/server-urls.ts";
import { SETTINGS, type SettingName } from "../../config.ts";
import type { Context } from "../../context.ts";
import { ROLES, type Role } from "../../contract/operation.ts";
import { ServiceError } from "../../errors.ts";
import { formatTime } from "../../platform/clock.ts";
import { isLoopbackHost } from "../../platform/ip-address.ts";
import type { Command } from "../command.ts";
import { type JsonOption, printStatus } from "../terminal/output.ts";
import {
  addOutputOptions,
  type OutputOptions,
  outputFormatOf,
  printAll,
  printOutcome,
  printSecret,
  type TableFormat,
} from "../terminal/output-formats.ts";
import { readSecret } from "../terminal/prompt.ts";
import { accountArgument, withAccounts, withAccountsOrNew } from "./accounts-database.ts";
import { addSettings, configOf, STORE_SETTINGS } from "./settings.ts";

export function addCommands(program: Command): void {
  const accounts = program
    .command("accounts")
    .description("create accounts, invite people and set roles; resets forgotten passwords")
    .addExamples("petstore accounts create ada@example.com", "petstore accounts list");
  addCreate(accounts);
  addList(accounts);
  addRole(accounts);
  addInvite(accounts);
  addResetLink(accounts);
  addResetPassword(accounts);
}

function addCreate(accounts: Command) {
  const command = accounts
    .command("create")
    .description(
      "create an account, the first as owner and others as staff; prompts for the password, or reads it from standard input",
    )
    .argument("<email>", "email address that signs in", normalizeEmail)
    .addExamples("petstore accounts create ada@example.com < password.txt");
  addSettings(addOutputOptions(command)).action(async (email: string, options: OutputOptions) => {
    const passwordHash = await readNewPassword(email);
    const account = await withAccountsOrNew(options, (ctx) =>
      createAccount(ctx, { email, passwordHash, role: "staff" }),
    );
    printOutcome(options, describe(account), `Account ${account.email} is created, as ${account.role}.`);
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
    .description("set what an account may do; it counts for its sessions and keys within a second")
    .addArgument(accountArgument())
    .addArgument(
      new Argument("<role>", "viewer reads, staff also changes, owner also decides who may").choices(ROLES),
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
    .description("set a new password and end all sessions of the account; its API keys stay valid")
    .addArgument(accountArgument())
    .addExamples("petstore accounts reset-password ada@example.com");
  addSettings(command).action(async (email: string, options: object) => {
    // Before the prompt, so that a mistyped address fails at once.
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
    "The local operator cannot sign in: it has no password, and always an owner's rights. Name another account.",
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

/** Settings of the commands that print a link: the store's, and those of the console's address. */
const LINK_SETTINGS: readonly SettingName[] = [
  ...STORE_SETTINGS,
  ...(["host", "productionUrl", "productionPort"] as const),
];

const CLOSED = `${SETTINGS.signUp.variable} is closed, so that no link makes an account. Create it: petstore accounts create EMAIL`;

function addInvite(accounts: Command) {
  const command = accounts
    .command("invite")
    .description(
      "print a link that creates one account, within 72 hours; the owner's until there is one; an earlier link for the same address becomes invalid",
    )
    .argument("[email]", "email address of the account; left out, the person chooses one", normalizeEmail)
    .addOption(
      new Option(
        "--role <role>",
        "what the account may do; left out: owner until there is one, then staff",
      ).choices(ROLES),
    )
    .option("--json", "print JSON")
    .addExamples("petstore accounts invite", "petstore accounts invite ada@example.com --role viewer");
  addSettings(command, LINK_SETTINGS).action(
    async (email: string | undefined, options: JsonOption & { role?: Role }) => {
      if (configOf(options).signUp === "closed") throw new Error(CLOSED);
      const { isFirst, role, link } = await withAccountsOrNew(options, async (ctx) => {
        const isFirst = await lacksOwner(ctx.query);
        const { role = isFirst ? "owner" : "staff" } = options;
        return { isFirst, role, link: await createInvitation(ctx, { email, role }) };
      });
      printLink(options, link);
      if (options.json) return;
      printStatus(
        isFirst
          ? "There is no owner yet: the first account is the owner's."
          : `The account's role will be ${role}.`,
      );
    },
  );
}

function addResetLink(accounts: Command) {
  const command = accounts
    .command("reset-link")
    .description(
      "print a link that sets a new password; it works once, within 72 hours, and ends all sessions of the account",
    )
    .addArgument(accountArgument())
    .option("--json", "print JSON")
    .addExamples("petstore accounts reset-link ada@example.com");
  addSettings(command, LINK_SETTINGS).action(async (email: string, options: JsonOption) => {
    const link = await withAccounts(options, async (ctx) => {
      const { id: accountId } = await requireAccount(ctx, email);
      return createResetLink(ctx, { accountId });
    });
    printLink(options, link);
  });
}

function printLink(options: JsonOption, { path, expiresAt }: NewLink) {
  const config = configOf(options);
  const link = new URL(path, configuredAddress(config, "production")).href;
  printSecret(options, {
    item: { link, expiresAt: formatTime(expiresAt) },
    secret: link,
    sentence: `It works once, until ${formatTime(expiresAt)}. It is not shown again.`,
    ifLost: "Nobody has the link. Run the command again: its link replaces this one.",
  });
  if (options.json) return;
  if (config.productionUrl === undefined && !isLoopbackHost(config.host))
    printStatus(
      `For people elsewhere, set ${SETTINGS.productionUrl.variable} to the console's public address.`,
    );
}
