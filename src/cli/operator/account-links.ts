import { Option } from "commander";
import { lacksOwner, requireAccount } from "../../accounts/accounts.ts";
import { normalizeEmail } from "../../accounts/email.ts";
import { createInvitation, type NewLink } from "../../accounts/invitations/invitations.ts";
import { createResetLink } from "../../accounts/invitations/password-reset.ts";
import { configuredAddress } from "../../api/server-urls.ts";
import { SETTINGS, type SettingName } from "../../config/settings.ts";
import { ROLES, type Role } from "../../contract/operation.ts";
import { formatTime } from "../../platform/clock.ts";
import { isLoopbackHost } from "../../platform/ip-address.ts";
import type { Command } from "../command.ts";
import { type JsonOption, printStatus } from "../terminal/output.ts";
import { printSecret } from "../terminal/output-formats.ts";
import { accountArgument, withAccounts, withAccountsOrNew } from "./accounts-database.ts";
import { addSettings, configOf, STORE_SETTINGS } from "./settings.ts";

export function addLinkCommands(accounts: Command): void {
  addInvite(accounts);
  addResetLink(accounts);
}

/** Settings for the commands that print a link: the location of the store, and the address of the console. */
const LINK_SETTINGS: readonly SettingName[] = [
  ...STORE_SETTINGS,
  ...(["host", "productionUrl", "productionPort"] as const),
];

const CLOSED = `${SETTINGS.signUp.variable} is set to closed, so nobody can create an account with a link. Create the account yourself: petstore accounts create EMAIL`;

function addInvite(accounts: Command) {
  const command = accounts
    .command("invite")
    .description(
      "print a link with which one person can create an account within 72 hours; if the store has no owner yet, this person becomes the owner; an earlier link for the same address becomes invalid",
    )
    .argument(
      "[email]",
      "email address of the account (default: the person chooses an address)",
      normalizeEmail,
    )
    .addOption(
      new Option(
        "--role <role>",
        "role of the account (default: owner if the store has no owner yet, otherwise staff)",
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
          ? "The store has no owner yet, so the new account will be the owner."
          : `The role of the new account will be ${role}.`,
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
    sentence: `The link works once, until ${formatTime(expiresAt)}. It is not shown again.`,
    ifLost:
      "The link could not be printed. Run the command again to get another link. The link that was not printed then becomes invalid.",
  });
  if (options.json) return;
  if (config.productionUrl === undefined && !isLoopbackHost(config.host))
    printStatus(
      `If people open the link on another machine, set ${SETTINGS.productionUrl.variable} to the console's public address.`,
    );
}
