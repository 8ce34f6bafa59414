import { removeAccount, setRole } from "../accounts/accounts.ts";
import { type Person, peopleOperations } from "../accounts/contract.ts";
import { selectLastSeen } from "../accounts/sessions/session-store.ts";
import { type Account, selectAccounts } from "../accounts/store.ts";
import { type Endpoints, endpoint } from "../http/endpoint.ts";
import { SESSION_IDLE_MS } from "../limits.ts";
import { formatTime } from "../platform/clock.ts";

/**
 * Other people's accounts, for owners.
 *
 * @param onKeysChanged called once keys are gone, or may do more or less than before
 */
export function peopleEndpoints(onKeysChanged: () => void): Endpoints<typeof peopleOperations> {
  const options = { onCommitted: onKeysChanged };
  return {
    listAccounts: endpoint(peopleOperations.listAccounts, async ({ query, now }) => {
      const accounts = await query(selectAccounts, []);
      const seen = await query(selectLastSeen, [now, now - SESSION_IDLE_MS]);
      const lastSeenAt = new Map(seen.map(({ accountId, at }) => [accountId, formatTime(at)]));
      return accounts
        .filter(({ canSignIn }) => canSignIn)
        .map((account) => ({ ...personOf(account), lastSeenAt: lastSeenAt.get(account.id) ?? null }));
    }),
    setRole: endpoint(
      peopleOperations.setRole,
      async (ctx, { accountId, body }) => personOf(await setRole(ctx, { accountId, role: body.role })),
      options,
    ),
    removeAccount: endpoint(peopleOperations.removeAccount, removeAccount, options),
  };
}

function personOf({ id, email, role, createdAt }: Account): Person {
  return { id, email, role, createdAt: formatTime(createdAt) };
}
