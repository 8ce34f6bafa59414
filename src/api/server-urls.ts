import type { Config } from "../config.ts";

/** Returns a service's configured base address, no matter which address the client used. */
export function configuredAddress(config: Config, service: string): string {
  if (service === "staging") return config.stagingUrl ?? `http://localhost:${config.stagingPort}/v1`;
  if (service === "messages") return config.messagesUrl ?? `http://localhost:${config.messagesPort}`;
  return config.productionUrl ?? `http://localhost:${config.productionPort}/v1`;
}
