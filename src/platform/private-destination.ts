import { isPrivateHost } from "./ip-address.ts";

/** The fault of a destination that is private by its text alone; a name is resolved and checked at each delivery. */
export function privateDestinationFault({ hostname }: URL, variable: string): string | undefined {
  if (!isPrivateHost(hostname)) return undefined;
  return `leads to ${hostname}, which is private. Set ${variable}=allow to deliver there`;
}
