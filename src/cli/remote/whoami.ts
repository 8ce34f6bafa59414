import { type Client, PetstoreError } from "../../../client/src/client.ts";
import { readRemoteSettings } from "../../config.ts";
import { redactToken } from "../../keys/token.ts";
import type { Command } from "../command.ts";
import { printRecord, type TableFormat } from "../terminal/output-formats.ts";
import { addPrintedOptions, callService, connectionFor, type RemoteOptions } from "./connection.ts";

interface KeyInUse {
  readonly key: string;
  readonly environment: string;
  readonly access: "read" | "read-write";
  readonly role: string;
  readonly url: string;
  readonly from: "PETSTORE_KEY" | "petstore login";
}

const format: TableFormat<KeyInUse> = {
  plural: "keys",
  headings: {
    key: "KEY",
    environment: "ENVIRONMENT",
    access: "ACCESS",
    role: "ROLE",
    url: "ADDRESS",
    from: "FROM",
  },
};

export function addCommands(program: Command): void {
  const command = program
    .command("whoami")
    .description("show the API key in use; its environment and access, its account's role, and its address")
    .addExamples("petstore whoami", "petstore whoami --environment staging --json");
  addPrintedOptions(command).action(async (options: RemoteOptions) => {
    const connection = connectionFor(options);
    const [access, role] = await callService(connection, options, async (client) => [
      await accessOf(client),
      await roleOf(client),
    ]);
    const from = readRemoteSettings().key === undefined ? "petstore login" : "PETSTORE_KEY";
    const { environment } = options;
    const { key, url } = connection;
    printRecord(options, format, { key: redactToken(key), environment, access, role, url, from });
  });
}

/** Identifier that no animal has: they begin at 1. */
const NO_ANIMAL = 0;

/** Finds whether the key may write, by an update that cannot take effect. */
async function accessOf({ pets }: Client): Promise<KeyInUse["access"]> {
  const error = await refusalOf(pets.update(NO_ANIMAL, {}));
  return error?.code === "forbidden" && !ROLE.test(error.message) ? "read" : "read-write";
}

/** Pattern of the account's role in the message that refuses an operation to it. */
const ROLE = /has the role (\w+);/;

/** Finds the account's role: only an owner may list webhooks, and the refusal to others names their role. */
async function roleOf({ webhooks }: Client): Promise<string> {
  const error = await refusalOf(webhooks.list({ limit: 1 }));
  return error === undefined ? "owner" : (ROLE.exec(error.message)?.[1] ?? "unknown");
}

/** Awaits a request. @returns the service's refusal, 403 or 404, undefined after a success; other errors are thrown */
async function refusalOf(call: PromiseLike<unknown>): Promise<PetstoreError | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof PetstoreError && [403, 404].includes(error.status)) return error;
    throw error;
  }
}
