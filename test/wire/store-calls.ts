import type { NewPet } from "../../src/pets/contract.ts";
import type { Reply, SendOptions } from "./send.ts";

type Headers = Readonly<Record<string, string>>;
/** Body of a request. An object is sent as JSON, and a string is sent unchanged. */
type Body = string | Uint8Array | object;
type CallOptions = Omit<SendOptions, "body"> & { readonly body?: Body | undefined };

/** The requests that most tests send to a store, with one key. */
export interface StoreCalls {
  /**
   * Sends a request with the key, such as `GET /pets`. In place of the path, a complete address can be given, such as the address
   * of a next page.
   */
  send(request: string, options?: CallOptions): Promise<Reply>;
  get(path: string, headers?: Headers): Promise<Reply>;
  post(path: string, body?: Body | undefined, headers?: Headers): Promise<Reply>;
  /** Creates a resource. Returns the resource's identifier. */
  add(path: string, body?: Body, headers?: Headers): Promise<number>;
  /** Adds an available animal to category 1. Returns the animal's identifier. */
  pet(members?: Partial<NewPet>): Promise<number>;
  /** Orders an animal, and creates one if none is given. Returns the order's identifier. */
  order(petId?: number): Promise<number>;
}

/**
 * @param transmit sends a request such as `GET /pets`. It uses the key of the store, unless the options contain a different key.
 */
export function createStoreCalls(
  transmit: (request: string, options: SendOptions) => Promise<Reply>,
): StoreCalls {
  const calls: StoreCalls = {
    send(request, { body, ...options } = {}) {
      const sent = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
      return transmit(request, { ...options, ...(sent !== undefined && { body: sent }) });
    },
    get: (path, headers = {}) => calls.send(`GET ${path}`, { headers }),
    post: (path, body, headers = {}) => calls.send(`POST ${path}`, { headers, body }),
    add: async (path, body, headers) => (await calls.post(path, body, headers)).json.id,
    pet: (members) => calls.add("/pets", { name: "x", categoryId: 1, status: "available", ...members }),
    order: async (petId) => calls.add("/store/orders", { petId: petId ?? (await calls.pet()) }),
  };
  return calls;
}
