import type { AccountActor, AnonymousActor } from "../context.ts";
import type { Maybe } from "../platform/maybe.ts";
import type { Database, Query } from "../storage/database.ts";
import type { Endpoint } from "./endpoint.ts";
import type { FingerprintedBody } from "./idempotency/fingerprint.ts";
import type { Idempotency } from "./idempotency/idempotency.ts";
import { afterParsing, requireOpenConnection } from "./open-connection.ts";
import type { RequestContext } from "./request-context.ts";
import type { ResponseData } from "./response.ts";

/** A request whose body was read. */
interface Change {
  readonly database: Database;
  readonly idempotency: Idempotency | undefined;
  readonly context: RequestContext;
  readonly actor: AccountActor | AnonymousActor;
  readonly transaction: Endpoint["transaction"];
  readonly idempotencyKey: string | undefined;
  readonly body: FingerprintedBody;
}

type Work = (query: Query, write?: Database["write"]) => Maybe<ResponseData>;

/**
 * Carries out a change, as its endpoint's `transaction` says, and resolves once it is on disk. Nothing is changed for a
 * client that gets no response of ours. An embedded database runs `work` and its commit in one go, so that nothing comes
 * between this look and the response; what arrives while a server has a statement under way is not seen in time.
 */
export async function commit(change: Change, work: Work): Promise<ResponseData> {
  const { database, idempotency, context, actor, transaction, idempotencyKey, body } = change;
  const requireOpen = () => requireOpenConnection(context.request);
  const whileOpen = <Result>(run: (query: Query) => Maybe<Result>) => {
    return (query: Query) => {
      requireOpen();
      return run(query);
    };
  };
  const checked = whileOpen(work);
  await afterParsing();
  if (idempotencyKey !== undefined && idempotency !== undefined && actor.kind !== "anonymous") {
    const { accountId, environment } = actor;
    const request = { accountId, environment, path: context.path, key: idempotencyKey, body };
    return transaction === "single-insert"
      ? idempotency.insertIdempotent(request, checked, requireOpen)
      : idempotency.run(request, checked);
  }
  if (transaction === undefined) return database.write(checked);
  if (transaction !== "own") return database.write(checked, { isSingle: true, beforeSending: requireOpen });
  return work(database.read, (inner) => database.write(whileOpen(inner)));
}
