import type { Config } from "../config.ts";
import type { Document, DocumentServer } from "../contract/openapi/openapi.ts";

/** The addresses in a document, one for each service that it describes. */
export function serversOf(
  document: Document,
  addressOf: (service: string) => string,
): readonly DocumentServer[] {
  return document.services.map((service) => ({
    url: addressOf(service),
    description: service.charAt(0).toUpperCase() + service.slice(1),
  }));
}

/** The address of a service, as the settings have it. */
export function configuredAddress(config: Config, service: string): string {
  if (service === "staging") return config.stagingUrl ?? `http://localhost:${config.stagingPort}/v1`;
  if (service === "messages") return config.messagesUrl ?? `http://localhost:${config.messagesPort}`;
  return config.productionUrl ?? `http://localhost:${config.productionPort}/v1`;
}
