import type { CallOptions } from "./options.ts";
import { createRequester } from "./request.ts";
import type { Settings } from "./settings.ts";
import type { Key } from "./types.ts";

/** Operations on the API key that the client uses. Beta. */
export interface OwnKey {
  /** `getKey`: reads the name, environment, access and expiry of the client's key, and the role of the key's account. */
  get(call?: CallOptions): Promise<Key>;
}

export function keyMethods(settings: Settings): OwnKey {
  const { get } = createRequester(settings);
  return { get: async (call) => get(`${settings.storeUrl}/key`, call) };
}
