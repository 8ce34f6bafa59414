import type { Int64 } from "exact-json/int64";
import { digits, withQuery } from "./address.ts";
import { type List, listAt } from "./list.ts";
import type { CallOptions, ChangeOptions } from "./options.ts";
import { createRequester } from "./request.ts";
import type { Settings } from "./settings.ts";
import type { Inventory, NewPet, Paging, Pet, PetFilter, PetPatch } from "./types.ts";

/** Operations on the store's animals. */
export interface Pets {
  /** `listPets`: lists the animals that match the filter, newest first. An empty `ids` or `externalIds` matches no animal. */
  list(filter?: PetFilter & Paging, call?: CallOptions): List<Pet>;
  /** `getInventory`: counts the animals of each status, and the animals without a status. Beta. */
  inventory(call?: CallOptions): Promise<Inventory>;
  /** `createPet`: adds an animal. When the call resolves, the animal is on disk. */
  create(newPet: NewPet, call?: CallOptions): Promise<Pet>;
  /**
   * `getPet`: reads one animal.
   *
   * @deprecated The service removes this operation on 5 December 2030. Use `list({ ids: [id] })`, which yields one animal or none.
   */
  get(id: Int64, call?: CallOptions): Promise<Pet>;
  /** `updatePet`: changes the given members of an animal. Beta. */
  update(id: Int64, patch: PetPatch, call?: ChangeOptions): Promise<Pet>;
  /** `deletePet`: removes an animal that has no open order. Beta. */
  delete(id: Int64, call?: ChangeOptions): Promise<void>;
}

export function petMethods(settings: Settings): Pets {
  const { get, post, patch, delete: remove } = createRequester(settings);
  const collection = `${settings.storeUrl}/pets`;
  const item = (id: Int64) => `${collection}/${digits(id)}`;
  return {
    list({ ids, externalIds, ...filter } = {}, call) {
      const isNone = ids?.length === 0 || externalIds?.length === 0;
      // A filter that this client does not know is sent anyway, because a newer service may know it. A service that does not know
      // the filter refuses the request.
      const query = { id: ids, externalId: externalIds, ...filter };
      const address = () => (isNone ? undefined : withQuery(collection, query));
      return listAt(settings, address, call);
    },
    inventory: async (call) => get(`${settings.storeUrl}/store/inventory`, call),
    create: async (newPet, call) => post(collection, newPet, call),
    get: async (id, call) => get(item(id), call),
    update: async (id, changes, call) => patch(item(id), changes, call),
    delete: async (id, call) => remove(item(id), call),
  };
}
