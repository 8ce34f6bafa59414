import { expect } from "bun:test";
import { type Reply, send } from "./send.ts";

/** The service promises that revoking an API key takes effect within 1 s. A busy machine may take longer. */
const REVOKED_WITHIN_MS = 10_000;

/** Sends requests with a revoked API key until the service refuses one. Resolves to that response, and to how long it took. */
export async function untilRefused(
  address: string,
  key: string,
): Promise<{ reply: Reply; milliseconds: number }> {
  const revokedAt = performance.now();
  for (;;) {
    const reply = await send("GET", `${address}/pets?limit=1`, { key });
    const milliseconds = performance.now() - revokedAt;
    if (reply.status === 401) return { reply, milliseconds };
    expect(reply.status).toBe(200);
    expect(milliseconds).toBeLessThan(REVOKED_WITHIN_MS);
  }
}
