import { z } from "zod";
import { requireSession } from "../accounts/sessions/sessions.ts";
import type { SessionActor } from "../context.ts";
import type { Operation } from "../contract/operation.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { selectDeprecatedCallers } from "../keys/store.ts";
import { formatTime } from "../platform/clock.ts";
import type { Database, Query } from "../storage/database.ts";
import { findProgramNotices, type ProgramNotices } from "./program-notices.ts";

interface DeprecatedOperation {
  readonly operation: string;
  /** With the method: `GET /pets/{petId}`. */
  readonly path: string;
  readonly sunset: string;
  readonly callers: readonly {
    readonly keyId: string;
    readonly keyName: string;
    readonly calls: number;
    readonly lastCalledAt: string;
  }[];
  /** Calls made with keys that are not listed. */
  readonly otherCalls: number;
}

/** For an owner with everybody's keys. */
interface DeveloperNotices extends ProgramNotices {
  readonly deprecated: readonly DeprecatedOperation[];
}

export const getDeveloperNotices = {
  id: "getDeveloperNotices",
  method: "GET",
  path: "/developers",
  access: "read",
  success: { status: 200, schema: z.custom<DeveloperNotices>() },
} as const satisfies Operation;

interface DevelopersOptions {
  readonly accounts: Database;
  readonly messages: Database;
  readonly operations: readonly Operation[];
  /** Writes the uses of keys that this process holds in memory. */
  readonly flushActivity: () => Promise<void>;
}

export function developersEndpoint(options: DevelopersOptions): Endpoint {
  const { accounts, messages, operations, flushActivity } = options;
  return endpoint(getDeveloperNotices, async (ctx): Promise<DeveloperNotices> => {
    await flushActivity();
    return {
      ...(await findProgramNotices(ctx, { accounts: accounts.read, messages: messages.read })),
      deprecated: await findDeprecatedCalls(accounts.read, operations, requireSession(ctx)),
    };
  });
}

/** Names a person's own keys, and everybody's to an owner; the calls of the others are counted. */
async function findDeprecatedCalls(
  query: Query,
  operations: readonly Operation[],
  { accountId, role, environment }: SessionActor,
): Promise<DeprecatedOperation[]> {
  const found: DeprecatedOperation[] = [];
  for (const { id, method, path, deprecation } of operations) {
    if (deprecation === undefined) continue;
    const callers = await query(selectDeprecatedCallers, [id, environment]);
    const named = role === "owner" ? callers : callers.filter((caller) => caller.accountId === accountId);
    const others = callers.filter((caller) => !named.includes(caller));
    found.push({
      operation: id,
      path: `${method} ${path}`,
      sunset: formatTime(deprecation.sunset),
      callers: named.map(({ keyId, keyName, calls, lastCalledAt }) => ({
        keyId,
        keyName,
        calls,
        lastCalledAt: formatTime(lastCalledAt),
      })),
      otherCalls: others.reduce((sum, { calls }) => sum + calls, 0),
    });
  }
  return found;
}
