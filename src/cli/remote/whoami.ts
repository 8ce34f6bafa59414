import type { Key } from "../../../client/src/client.ts";
import { readRemoteSettings } from "../../config/environment.ts";
import { redactToken } from "../../keys/token.ts";
import type { Command } from "../command.ts";
import { printRecord, type TableFormat } from "../terminal/output-formats.ts";
import { addPrintedOptions, callService, connectionFor, type RemoteOptions } from "./connection.ts";

interface KeyInUse extends Pick<Key, "name" | "environment" | "access" | "role"> {
  readonly key: string;
  readonly expiresAt: string | null;
  readonly url: string;
  readonly from: "PETSTORE_KEY" | "petstore login";
}

const format: TableFormat<KeyInUse> = {
  plural: "keys",
  headings: {
    key: "KEY",
    name: "NAME",
    environment: "ENVIRONMENT",
    access: "ACCESS",
    role: "ROLE",
    expiresAt: "EXPIRES",
    url: "ADDRESS",
    from: "FROM",
  },
  cells: { expiresAt: (expiresAt) => expiresAt.slice(0, 10) },
};

export function addCommands(program: Command): void {
  const command = program
    .command("whoami")
    .description(
      "show the API key that petstore uses; prints its name, access and expiry, the role of its account, and the store's address",
    )
    .addExamples("petstore whoami", "petstore whoami --environment staging --json");
  addPrintedOptions(command).action(async (options: RemoteOptions) => {
    const connection = connectionFor(options);
    const own = await callService(connection, options, ({ key }) => key.get());
    const { name, environment, access, role, expiresAt = null } = own;
    const from = readRemoteSettings().key === undefined ? "petstore login" : "PETSTORE_KEY";
    const { key, url } = connection;
    const shown = { key: redactToken(key), name, environment, access, role, expiresAt, url, from } as const;
    printRecord(options, format, shown);
  });
}
