import { type Document, emitDocument } from "../contract/openapi/openapi.ts";

/** The examples of the contract have production's default address; servers have a placeholder. */
const ADDRESS = /http:\/\/localhost:8080(\/v1)?|address-of:(\w+)/g;

/**
 * Emits a service's OpenAPI document once. The function returned writes addresses into it: the service's own base address
 * into the first server and the examples, and those of `addressOf` into the other servers.
 */
export function documentRenderer(
  document: Document,
  own: string,
  addressOf: (service: string) => string,
): (base: string) => string {
  const services = [own, ...document.services.filter((service) => service !== own)];
  const servers = services.map((service) => ({
    url: `address-of:${service}`,
    description: service.charAt(0).toUpperCase() + service.slice(1),
  }));
  const text = emitDocument(document, servers);
  return (base) => {
    const { origin } = new URL(base);
    const addressFor = (path: string | undefined, service: string | undefined) => {
      if (service !== undefined && service !== own) return addressOf(service);
      return path === undefined && service === undefined ? origin : base;
    };
    return text.replaceAll(ADDRESS, (_, path?: string, service?: string) =>
      JSON.stringify(addressFor(path, service)).slice(1, -1),
    );
  };
}
