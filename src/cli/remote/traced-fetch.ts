import type { Fetch } from "../../../client/src/client.ts";
import { errorCode } from "../../errors.ts";
import { formatTime, systemClock } from "../../platform/clock.ts";
import { escapeControls } from "../terminal/escape-controls.ts";
import { printStatus } from "../terminal/output.ts";

/** A fetch that prints a line for each request on standard error. No header is printed: one of them has the key. */
export function createTracedFetch(): Fetch {
  const tries = new Map<string, number>();
  return async (address, init) => {
    const method = init.method ?? "GET";
    const request = `${method} ${address}`;
    const identity = `${request} ${new Headers(init.headers).get("Idempotency-Key")}`;
    const attempt = (tries.get(identity) ?? 0) + 1;
    tries.set(identity, attempt);
    const now = formatTime(systemClock.now());
    const startedAt = performance.now();
    const report = (result: string) =>
      printStatus(
        `debug: ${now} ${request}: ${result} after ${Math.round(performance.now() - startedAt)} ms, try ${attempt}`,
      );
    try {
      const response = await fetch(address, init);
      // The next request like this one is another call.
      if (response.ok) tries.delete(identity);
      const id = response.headers.get("X-Request-Id");
      report(`${response.status}${id === null ? "" : ` (request ${escapeControls(id)})`}`);
      return response;
    } catch (error) {
      report(errorCode(error));
      throw error;
    }
  };
}
