import { isPrivateHost } from "./ip-address.ts";

/** An address that something is sent to: http or https, without a fragment. */
export function parseHttpUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.hash === "" ? url : undefined;
}

/** The fault of a destination that is private whatever DNS says; a name is resolved and checked at each delivery. */
export function privateDestinationFault({ hostname }: URL, variable: string): string | undefined {
  if (!isPrivateHost(hostname)) return undefined;
  return `leads to ${hostname}, which is private. Set ${variable}=allow to deliver there`;
}
