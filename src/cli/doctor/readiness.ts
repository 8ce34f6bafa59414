import { get } from "node:http";
import { text } from "node:stream/consumers";
import { DOCTOR_DEADLINE_MS } from "../../limits.ts";
import { bracketHost } from "../../platform/ip-address.ts";
import type { BindAddress } from "../../server/listener.ts";

/**
 * Reads from `/readyz` or `/metrics` whether a service is ready. Undefined if there is no response, or another program responds.
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

/** Gets a text over HTTP. `fetch` is not used, because it would use the proxy in `HTTP_PROXY` even for this machine. */
function getText(address: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const signal = AbortSignal.timeout(DOCTOR_DEADLINE_MS);
  get(address, { signal }, (response) => resolve(text(response))).on("error", reject);
  return promise;
}
