import { digits, withQuery } from "./address.ts";
import type { Int64 } from "./int64.ts";
import { type List, listAt } from "./list.ts";
import type { CallOptions } from "./options.ts";
import { request } from "./request.ts";
import type { Settings } from "./settings.ts";
import type { NewPet, Paging, Pet, PetFilter, PetPatch } from "./types.ts";

/** The store's animals. */
export interface Pets {
  /** `listPets`: the animals that meet the filter, newest first. */
  list(filter?: PetFilter & Paging, call?: CallOptions): List<Pet>;
  /** `createPet`: adds an animal; when this resolves it is on disk. */
  create(newPet: NewPet, call?: CallOptions): Promise<Pet>;
  /**
   * `getPet`: one animal.
   *
   * @deprecated The service removes this on 5 December 2030. Use `list({ ids: [id] })`, which holds one animal or none.
   */
  get(id: Int64, call?: CallOptions): Promise<Pet>;
  /** `updatePet`: changes the members given. Beta. */
  update(id: Int64, patch: PetPatch, call?: CallOptions): Promise<Pet>;
  /** `deletePet`: removes an animal that has no open order. Beta. */
  delete(id: Int64, call?: CallOptions): Promise<void>;
}

export function petMethods(settings: Settings): Pets {
  const all = `${settings.storeUrl}/pets`;
  const one = (id: Int64) => `${all}/${digits(id)}`;
  return {
    list({ ids, ...filter } = {}, call) {
      const address = () => (ids?.length === 0 ? undefined : withQuery(all, { ...filter, id: ids }));
      return listAt(settings, address, call);
    },
    create: async (body, call) =>
      request(settings, { method: "POST", address: all, body, carries: "an object" }, call),
    get: async (id, call) =>
      request(settings, { method: "GET", address: one(id), carries: "an object" }, call),
    update: async (id, body, call) =>
      request(
        settings,
        { method: "PATCH", address: one(id), body, mediaType: MERGE_PATCH, carries: "an object" },
        call,
      ),
    delete: async (id, call) =>
      request(settings, { method: "DELETE", address: one(id), carries: "nothing" }, call),
  };
}

const MERGE_PATCH = "application/merge-patch+json";
