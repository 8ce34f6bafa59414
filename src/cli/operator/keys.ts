import { Argument, InvalidArgumentError, Option } from "commander";
import { z } from "zod";
import { requireAccount } from "../../accounts/accounts.ts";
import { ENVIRONMENTS, type Environment } from "../../context.ts";
import { ACCESS_LEVELS, type AccessLevel } from "../../contract/operation.ts";
import { createKey, type IssuedKey, listKeys, requireKey, revokeKey, rotateKey } from "../../keys/verbs.ts";
import { OVERLAP_DEFAULT_HOURS, OVERLAP_MAX_HOURS } from "../../limits.ts";
import { systemClock } from "../../platform/clock.ts";
import type { Command } from "../command.ts";
import { printStatus } from "../terminal/output.ts";
import {
  addOutputOptions,
  type OutputOptions,
  outputFormatOf,
  printAll,
  printOutcome,
  printSecret,
} from "../terminal/output-formats.ts";
import { type ConfirmOptions, confirm, yesOption } from "../terminal/prompt.ts";
import { accountOption, withAccounts, withAccountsOrNew } from "./accounts-database.ts";
import { describeKey, keyFormat } from "./key-format.ts";
import { addSettings } from "./settings.ts";

interface CreateOptions extends OutputOptions {
  readonly environment: Environment;
  readonly account?: string;
  readonly name: string;
  readonly access: AccessLevel;
  readonly expires?: number;
}

export function addCommands(program: Command): void {
  const keys = program
    .command("keys")
    .description("create, list, rotate and revoke API keys")
    .addExamples("petstore keys create --environment production", "petstore keys list");
  addCreate(keys);
  addList(keys);
  addRotate(keys);
  addRevoke(keys);
}

function addCreate(keys: Command) {
  const command = keys
    .command("create")
    .description("create a key and print it on standard output, once; the key cannot be shown again")
    .addOption(
      new Option("--environment <name>", "environment of the key")
        .choices(ENVIRONMENTS)
        .makeOptionMandatory(),
    )
    .addOption(accountOption("account that owns the key (default: the local operator)"))
    .option("--name <name>", "purpose of the key", "command line")
    .addOption(
      new Option(
        "--access <level>",
        "what the key can do: read; sell (read, and also place, complete and cancel orders); or read-write",
      )
        .choices(ACCESS_LEVELS)
        .default("read-write"),
    )
    .option(
      "--expires <when>",
      "expiry time, such as 2027-01-01T00:00:00Z, or number of days, such as 30d (default: the key never expires)",
      parseExpiry,
    )
    .addExamples(
      "export PETSTORE_KEY=$(petstore keys create --environment production)",
      "petstore keys create --environment staging --access read --expires 30d",
      "petstore keys create --environment production --access sell --name till",
    );
  addSettings(addOutputOptions(command)).action(async (options: CreateOptions) => {
    const { key, token } = await withAccountsOrNew(options, async (ctx) =>
      createKey(ctx, {
        accountId: (await requireAccount(ctx, options.account)).id,
        environment: options.environment,
        name: options.name,
        access: options.access,
        expiresAt: options.expires,
      }),
    );
    printNewKey({ key, token }, options, "Create another key: petstore keys create");
  });
}

/**
 * Prints a new API key. By default, only the key goes to standard output, for use in a script. With an output format, the key's
 * whole record is printed.
 *
 * @param remedy the advice to give if the key could not be printed
 */
function printNewKey({ key, token }: IssuedKey, options: OutputOptions, remedy: string) {
  printSecret(options, {
    item: { key: token, ...describeKey(key) },
    secret: token,
    sentence: `Created ${key.id}, a ${key.access} key for ${key.environment}, owned by ${key.email}. The key is not shown again.`,
    ifLost: `The key ${key.id} was created, but could not be printed. Revoke it: petstore keys revoke ${key.id}. ${remedy}`,
  });
}

function addList(keys: Command) {
  const command = keys
    .command("list")
    .description("list keys, newest first (without their secrets, which are not stored)")
    .addOption(
      new Option("--environment <name>", "include only keys of this environment").choices(ENVIRONMENTS),
    )
    .addOption(accountOption("include only keys of this account"))
    .addExamples("petstore keys list --environment staging");
  addSettings(addOutputOptions(command)).action(
    async (options: OutputOptions & { environment?: Environment; account?: string }) => {
      const { environment, account } = options;
      const found = await withAccounts(options, async (ctx) => {
        const accountId = account === undefined ? undefined : (await requireAccount(ctx, account)).id;
        return listKeys(ctx, { accountId, environment });
      });
      if (found.length === 0 && outputFormatOf(options) === undefined)
        printStatus(
          `There are no keys. Create one: petstore keys create --environment ${environment ?? "production"}`,
        );
      else printAll(options, keyFormat, found.map(describeKey));
    },
  );
}

function addRotate(keys: Command) {
  const command = keys
    .command("rotate")
    .description(
      "replace a key, and print the new key on standard output, once; the new key cannot be shown again",
    )
    .addArgument(keyArgument())
    .addOption(
      new Option(
        "--overlap <hours>",
        `number of hours for which the old key still works, 0 to ${OVERLAP_MAX_HOURS} (default: ${OVERLAP_DEFAULT_HOURS})`,
      ).argParser(parseOverlap),
    )
    .addExamples(
      "export PETSTORE_KEY=$(petstore keys rotate key_Zp0aB1cD2eF3gH4i)",
      "petstore keys rotate key_Zp0aB1cD2eF3gH4i --overlap 0",
    );
  addSettings(addOutputOptions(command)).action(
    async (keyId: string, options: OutputOptions & { readonly overlap?: number }) => {
      const issued = await withAccounts(options, async (ctx) =>
        rotateKey(ctx, { key: await requireKey(ctx, keyId, {}), overlapHours: options.overlap }),
      );
      printNewKey(
        issued,
        options,
        `The new key could not be printed. Create another key: petstore keys create. The old key ${keyId} works only until the hours given with --overlap are over.`,
      );
    },
  );
}

function keyArgument(): Argument {
  return new Argument("<id>", "identifier of the key, as printed by petstore keys list");
}

function parseOverlap(text: string): number {
  if (/^[0-9]{1,3}$/.test(text) && Number(text) <= OVERLAP_MAX_HOURS) return Number(text);
  throw new InvalidArgumentError(`Use an integer from 0 to ${OVERLAP_MAX_HOURS}.`);
}

function addRevoke(keys: Command) {
  const command = keys
    .command("revoke")
    .description("revoke a key; this cannot be undone")
    .addArgument(keyArgument())
    .addOption(yesOption())
    .addExamples("petstore keys revoke key_Zp0aB1cD2eF3gH4i");
  addSettings(addOutputOptions(command)).action(
    async (keyId: string, options: OutputOptions & ConfirmOptions) => {
      await confirm(`Revoke ${keyId}? This cannot be undone.`, options);
      const key = await withAccounts(options, (ctx) => revokeKey(ctx, { keyId }));
      printOutcome(options, describeKey(key), `${key.id} is revoked.`);
    },
  );
}

function parseExpiry(text: string): number {
  const days = /^([1-9][0-9]{0,4})d$/.exec(text)?.[1];
  if (days !== undefined) return systemClock.now() + Number(days) * 86_400_000;
  const time = z.iso.datetime({ offset: true }).safeParse(text);
  if (!time.success)
    throw new InvalidArgumentError("Use a time such as 2027-01-01T00:00:00Z, or days such as 30d.");
  return Date.parse(time.data);
}
