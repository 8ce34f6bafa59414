import type { Config } from "../config.ts";

/** The address of a service, as the settings have it. */
export function configuredAddress(config: Config, service: string): string {
  if (service === "staging") return config.stagingUrl ?? `http://localhost:${config.stagingPort}/v1`;
  if (service === "messages") return config.messagesUrl ?? `http://localhost:${config.messagesPort}`;
  return config.productionUrl ?? `http://localhost:${config.productionPort}/v1`;
}
