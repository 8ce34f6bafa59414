import { get } from "node:http";
import { text } from "node:stream/consumers";
import { DOCTOR_DEADLINE_MS } from "../../limits.ts";
import { bracketHost } from "../../platform/ip-address.ts";
import type { BindAddress } from "../../server/listener.ts";

/**
 * Reads from `/readyz` or `/metrics` whether a service is ready. Returns undefined if nothing responds, or if the response does
 * not come from petstore.
 */
export async function readReadiness({ name, host, port }: BindAddress) {
  const reachable = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  const authority = `${bracketHost(reachable)}:${port}`;
  try {
    const body = await getText(`http://${authority}${name === "metrics" ? "/metrics" : "/readyz"}`);
    if (name === "metrics") return body.includes("petstore_build_info") ? "ready" : undefined;
    if (body === '{"status":"ready"}') return "ready";
    return body.includes('"code":"unavailable"') ? "not ready" : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Sends a GET request and returns the response body. `fetch` is not used, because it would send even a request to this machine
 * through the proxy in `HTTP_PROXY`.
 */
function getText(address: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const signal = AbortSignal.timeout(DOCTOR_DEADLINE_MS);
  get(address, { signal }, (response) => resolve(text(response))).on("error", reject);
  return promise;
}
