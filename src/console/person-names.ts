import { selectAccount } from "../accounts/store.ts";
import type { LoggedEvent } from "../events/event.ts";
import type { Database } from "../storage/database.ts";

const REMOVED = "removed account";

/** Sets the actor's `name` in all events that people caused. It is the email address of the person's account. */
export async function namePersons<Named extends LoggedEvent>(
  accounts: Pick<Database, "read">,
  events: readonly Named[],
): Promise<readonly Named[]> {
  const ids = new Set(events.flatMap(({ actor }) => (actor.kind === "person" ? [actor.id] : [])));
  const names = new Map(
    await Promise.all(
      [...ids].map(async (id): Promise<[string, string]> => {
        const [account] = await accounts.read(selectAccount, [BigInt(id)]);
        return [id, account?.email ?? REMOVED];
      }),
    ),
  );
  return events.map((event) => {
    const { actor } = event;
    const name = actor.kind === "person" ? names.get(actor.id) : undefined;
    return name === undefined ? event : { ...event, actor: { ...actor, name } };
  });
}
