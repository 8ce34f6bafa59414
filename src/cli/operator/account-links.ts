import { type Command, Option } from "commander";
import { requireAccount } from "../../accounts/accounts.ts";
import { normalizeEmail } from "../../accounts/email.ts";
import { createInvitation } from "../../accounts/invitations/invitations.ts";
import type { NewLink } from "../../accounts/invitations/link.ts";
import { createResetLink } from "../../accounts/invitations/password-reset.ts";
import { configuredAddress } from "../../api/server-urls.ts";
import { SETTINGS, type SettingName } from "../../config.ts";
import { ROLES, type Role } from "../../contract/operation.ts";
import { formatTime } from "../../platform/clock.ts";
import { isLoopbackHost } from "../../platform/ip-address.ts";
import { addExamples } from "../examples.ts";
import { type JsonOption, print, printJson, printStatus } from "../terminal/output.ts";
import { accountArgument } from "./account-email.ts";
import { withAccounts, withAccountsOrNew } from "./accounts-database.ts";
import { addSettings, configOf, STORE_SETTINGS } from "./settings.ts";

/** The settings that the address of the console is made from. */
const LINK_SETTINGS: readonly SettingName[] = [
  ...STORE_SETTINGS,
  ...(["host", "productionUrl", "productionPort"] as const),
];

const CLOSED = `${SETTINGS.signUp.variable} is closed, so that no link makes an account. Create it: petstore accounts create EMAIL`;

/** `petstore accounts invite` */
export function addInvite(accounts: Command): void {
  const command = accounts
    .command("invite")
    .description(
      "print a link that creates one account, within 72 hours; it ends the person's link before it",
    )
    .argument("[email]", "email address of the account; left out, the person chooses one", normalizeEmail)
    .addOption(new Option("--role <role>", "what the account may do").choices(ROLES).default("staff"))
    .option("--json", "print JSON");
  addExamples(command, "petstore accounts invite ada@example.com", "petstore accounts invite --role owner");
  addSettings(command, LINK_SETTINGS).action(
    async (email: string | undefined, options: JsonOption & { role: Role }) => {
      const { role } = options;
      if (configOf(options).signUp === "closed") throw new Error(CLOSED);
      const link = await withAccountsOrNew(options, (ctx) => createInvitation(ctx, { email, role }));
      printLink(options, link);
    },
  );
}

/** `petstore accounts reset-link` */
export function addResetLink(accounts: Command): void {
  const command = accounts
    .command("reset-link")
    .description(
      "print a link that sets a new password once, within 72 hours, and ends all sessions of the account",
    )
    .addArgument(accountArgument())
    .option("--json", "print JSON");
  addExamples(command, "petstore accounts reset-link ada@example.com");
  addSettings(command, LINK_SETTINGS).action(async (email: string, options: JsonOption) => {
    const link = await withAccounts(options, async (ctx) => {
      const { id: accountId } = await requireAccount(ctx, email);
      return createResetLink(ctx, { accountId });
    });
    printLink(options, link);
  });
}

function printLink(options: JsonOption, { path, expiresAt }: NewLink): void {
  const config = configOf(options);
  const link = new URL(path, configuredAddress(config, "production")).href;
  if (options.json) {
    printJson({ link, expiresAt: formatTime(expiresAt) });
    return;
  }
  print(link);
  printStatus(`It works once, until ${formatTime(expiresAt)}. It is not shown again.`);
  if (config.productionUrl === undefined && !isLoopbackHost(config.host))
    printStatus(
      `For people elsewhere, set ${SETTINGS.productionUrl.variable} to the console's public address.`,
    );
}
