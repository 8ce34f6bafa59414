import type { accountOperations, peopleOperations } from "../accounts/contract.ts";
import type { identityOperations } from "../accounts/identities/contract.ts";
import type { invitationOperations } from "../accounts/invitations/contract.ts";
import type { mailOperations } from "../accounts/mail/contract.ts";
import type { passkeyOperations } from "../accounts/passkeys/contract.ts";
import { categoryReset } from "../categories/store.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { idempotencyReset } from "../http/idempotency/record-store.ts";
import { simulationReset } from "../http/simulation/petstore-simulate.ts";
import type { keyOperations } from "../keys/contract.ts";
import type { messageOperations } from "../messages/contract.ts";
import { orderReset } from "../orders/store.ts";
import { petReset } from "../pets/store.ts";
import type { rehearsalOperations } from "../rehearsal/contract.ts";
import type { ResetPart } from "../storage/database.ts";
import type { webhookOperations } from "../webhooks/contract.ts";
import type { deliveryOperations } from "../webhooks/delivery-contract.ts";
import { deliveryReset } from "../webhooks/queue-store.ts";

// The work that this process must do after it has committed a change. Event streams, webhooks and cached responses need no such
// work: they follow the event log and the version of the data, and so notice every change, no matter which process made it.

type Effect = NonNullable<Endpoint["onCommitted"]>;
type Effects = Readonly<Record<string, Effect | undefined>>;

type Changing =
  | keyof typeof accountOperations
  | keyof typeof deliveryOperations
  | keyof typeof identityOperations
  | keyof typeof invitationOperations
  | keyof typeof keyOperations
  | keyof typeof mailOperations
  | keyof typeof passkeyOperations
  | keyof typeof messageOperations
  | keyof typeof peopleOperations
  | keyof typeof rehearsalOperations
  | keyof typeof webhookOperations;

/** Callbacks that notify other components of this process about a change. */
export interface Concerned {
  /** Makes the worker look for webhook deliveries that are due or were dropped. */
  readonly wakeDeliveries?: Effect;
  readonly wakeMessages?: Effect;
  readonly wakeMails?: Effect | undefined;
  /** Empties the cache of verified keys, because keys may have been revoked, or their roles changed. */
  readonly forgetKeys?: Effect;
  /** Reads staging's test clock and store identifier again, so that this process uses the new values for the next request. */
  readonly reloadRehearsal?: Effect | undefined;
}

/**
 * The work to do after the change of each operation has been committed, keyed by operation. The response is sent only after this
 * work has finished.
 */
export function effectsOf(concerned: Concerned): Effects {
  const { wakeDeliveries, wakeMessages, wakeMails, forgetKeys, reloadRehearsal } = concerned;
  return {
    updateWebhook: wakeDeliveries,
    deleteWebhook: wakeDeliveries,
    testWebhook: wakeDeliveries,
    redeliver: wakeDeliveries,
    submitMessage: wakeMessages,
    redeliverMessage: wakeMessages,
    addPasskey: wakeMails,
    changePassword: wakeMails,
    endProviderSignIn: wakeMails,
    useResetLink: wakeMails,
    createInvitation: wakeMails,
    createResetLink: wakeMails,
    requestReset: wakeMails,
    redeliverMail: wakeMails,
    revokeKey: forgetKeys,
    rotateKey: forgetKeys,
    setRole: forgetKeys,
    removeAccount: forgetKeys,
    deleteAccount: forgetKeys,
    setTestClock: reloadRehearsal,
    resetStore: reloadRehearsal,
  } satisfies Partial<Record<Changing, Effect | undefined>>;
}

export function withEffects(endpoints: readonly Endpoint[], effects: Effects): readonly Endpoint[] {
  return endpoints.map((endpoint) => {
    const onCommitted = effects[endpoint.operation.id];
    return onCommitted === undefined ? endpoint : { ...endpoint, onCommitted };
  });
}

/**
 * For each feature, the tables that a reset of staging empties, and the statement that adjusts the feature's times to the test
 * clock.
 */
export const RESET_PARTS: readonly ResetPart[] = [
  petReset,
  categoryReset,
  orderReset,
  deliveryReset,
  idempotencyReset,
  simulationReset,
];
