import { selectAccounts } from "../../accounts/store.ts";
import { selectKeys } from "../../keys/store.ts";
import { migrationsOf, openDatabase, readJournal } from "../../storage/open.ts";
import { configOf } from "../operator/settings.ts";
import type { Candidate, Position } from "./candidates.ts";

const OFFERED_MAX = 100;

export async function searchStore(
  kind: "key" | "account",
  { command }: Position,
): Promise<readonly Candidate[]> {
  const config = configOf(command.opts());
  // Opening a store would create it if it is missing, and migrate it if it is older, so the migrations are read first.
  const journal = await readJournal("accounts", config);
  if (journal.length !== migrationsOf("accounts", config).length) return [];
  const { read, close } = await openDatabase("accounts", config);
  try {
    return (kind === "key" ? await keys() : await accounts()).slice(0, OFFERED_MAX);
  } finally {
    await close();
  }

  async function keys(): Promise<readonly Candidate[]> {
    const valid = (await read(selectKeys, [])).filter(({ revokedAt }) => revokedAt === undefined);
    return valid.map(({ id, name, environment }) => [id, `${name}, ${environment}`]);
  }

  async function accounts(): Promise<readonly Candidate[]> {
    return (await read(selectAccounts, [])).map(({ email, role }) => [email, role]);
  }
}
