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
    .description("create accounts, invite people and set roles; also resets passwords")
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
      "create an account: the first is the owner, later ones are staff; prompts for the password, or reads it from standard input",
    )
    .argument("<email>", "email address to sign in with", normalizeEmail)
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
    .description("change what an account may do; its sessions and keys follow within a second")
    .addArgument(accountArgument())
    .addArgument(
      new Argument(
        "<role>",
        "viewer (can read), staff (can also change data) or owner (can also manage people)",
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
    // Checked before the prompt, so that a mistyped address fails at once.
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
    "The local operator cannot sign in: it has no password, and always has an owner's rights. Name another account.",
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

/** Settings of the commands that print a link: those of the store, and those of the console's address. */
const LINK_SETTINGS: readonly SettingName[] = [
  ...STORE_SETTINGS,
  ...(["host", "productionUrl", "productionPort"] as const),
];

const CLOSED = `${SETTINGS.signUp.variable} is closed, so links cannot create accounts. Create the account yourself: petstore accounts create EMAIL`;

function addInvite(accounts: Command) {
  const command = accounts
    .command("invite")
    .description(
      "print a link that creates one account within 72 hours: the owner's, if there is no owner yet; an earlier link for the same address becomes invalid",
    )
    .argument("[email]", "email address of the account (default: the person chooses one)", normalizeEmail)
    .addOption(
      new Option(
        "--role <role>",
        "role of the account (default: owner if there is none yet, else staff)",
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
          ? "There is no owner yet, so this account will be the owner's."
          : `The account's role will be ${role}.`,
      );
    },
  );
}

function addResetLink(accounts: Command) {
  const command = accounts
    .command("reset-link")
    .description(
      "print a link to set a new password; it works once, within 72 hours, and signs the account out everywhere",
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
    ifLost: "Nobody has seen the link. Run the command again: its new link replaces this one.",
  });
  if (options.json) return;
  if (config.productionUrl === undefined && !isLoopbackHost(config.host))
    printStatus(
      `For people elsewhere, set ${SETTINGS.productionUrl.variable} to the console's public address.`,
    );
}
