import { z } from "zod";
import { requireSession } from "../accounts/sessions/sessions.ts";
import type { SessionActor } from "../context.ts";
import type { Operation } from "../contract/operation.ts";
import { type Endpoint, endpoint } from "../http/endpoint.ts";
import { selectDeprecatedCallers } from "../keys/store.ts";
import { formatTime } from "../platform/clock.ts";
import type { Database, Query } from "../storage/database.ts";
import { findProgramNotices, programNotices } from "./program-notices.ts";

const deprecatedOperation = z.object({
  operation: z.string(),
  path: z.string().meta({ description: "With the method: `GET /pets/{petId}`." }),
  sunset: z.string(),
  callers: z.array(
    z.object({ keyId: z.string(), keyName: z.string(), calls: z.number(), lastCalledAt: z.string() }),
  ),
  otherCalls: z.number().meta({ description: "Calls made with keys that are not listed." }),
});
type DeprecatedOperation = z.infer<typeof deprecatedOperation>;

const developerNotices = z.object({
  ...programNotices,
  deprecated: z.array(deprecatedOperation),
});
type DeveloperNotices = z.infer<typeof developerNotices>;

export const getDeveloperNotices = {
  id: "getDeveloperNotices",
  method: "GET",
  path: "/developers",
  tag: "Console",
  summary: "Get what needs a developer's attention",
  description:
    "Keys about to expire, messages and webhooks that fail, and calls to deprecated operations; for an owner with everybody's keys.",
  access: "read",
  success: { status: 200, description: "What needs attention.", schema: developerNotices },
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
