import { get } from "node:http";
import { text } from "node:stream/consumers";
import { DOCTOR_DEADLINE_MS } from "../../limits.ts";
import type { BindAddress } from "../../server/listener.ts";

/**
 * What answers at a place on this machine.
 *
 * @returns undefined when nothing does, or something else than this program
 */
export async function askService({
  name,
  host,
  port,
}: BindAddress): Promise<"ready" | "not ready" | undefined> {
  const reachable = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  const authority = `${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
  try {
    const answer = await ask(`http://${authority}${name === "operations" ? "/metrics" : "/readyz"}`);
    if (name === "operations") return answer.includes("petstore_build_info") ? "ready" : undefined;
    if (answer === '{"status":"ready"}') return "ready";
    return answer.includes('"code":"unavailable"') ? "not ready" : undefined;
  } catch {
    return undefined;
  }
}

/** Not by `fetch`, which asks the proxy that `HTTP_PROXY` names even for this machine. */
function ask(address: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const signal = AbortSignal.timeout(DOCTOR_DEADLINE_MS);
  get(address, { signal }, (response) => resolve(text(response))).on("error", reject);
  return promise;
}
