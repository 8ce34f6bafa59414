import type { NewPet } from "../../src/pets/contract.ts";
import type { Reply, SendOptions } from "./send.ts";

type Headers = Readonly<Record<string, string>>;
/** The body of a request. An object is sent as JSON, and a string is sent unchanged. */
type Body = string | Uint8Array | object;
type CallOptions = Omit<SendOptions, "body"> & { readonly body?: Body | undefined };

/** Functions for the requests that most tests send to a service, all with the same API key. */
export interface StoreCalls {
  /**
   * Sends a request such as `GET /pets`. In place of the path, a complete address can be given, such as the address of a list's
   * next page.
   */
  send(request: string, options?: CallOptions): Promise<Reply>;
  get(path: string, headers?: Headers): Promise<Reply>;
  post(path: string, body?: Body | undefined, headers?: Headers): Promise<Reply>;
  /** Creates a resource. Returns the resource's identifier. */
  add(path: string, body?: Body, headers?: Headers): Promise<number>;
  /** Adds an available animal to category 1. Returns the animal's identifier. */
  pet(members?: Partial<NewPet>): Promise<number>;
  /** Places an order for an animal, which is created first if none is given. Returns the order's identifier. */
  order(petId?: number): Promise<number>;
}

/** @param transmit sends a request such as `GET /pets`, with the service's API key unless the options contain another one */
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
