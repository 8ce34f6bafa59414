import type { Described } from "./document.ts";
import type { Shot, Stage } from "./stage.ts";

/** How an operation is brought to its own answers; `provocations.ts` has those that operations share. */
export interface Recipe {
  /** A request that succeeds. Each call makes what it needs: the request is sent once. */
  readonly success: (at: Place) => Promise<Shot>;
  /** By error code. */
  readonly refusals?: Readonly<Record<string, (at: Place) => Promise<Shot>>>;
}

/** A service of the stage, in which a recipe makes what its request is about. */
export interface Place {
  /** Creates a resource; returns its identifier. */
  add(path: string, body?: object): Promise<string>;
  /** The path and query of the next page of a list, below the base address. */
  nextOf(path: string): Promise<string>;
  /** Deletes every event, and has two others instead. */
  renewEvents(): Promise<void>;
}

export function placeAt(stage: Stage, service: Described["service"]): Place {
  return {
    async nextOf(path) {
      const { headers } = await stage.send({ service, method: "GET" }, { target: path });
      const [, query = ""] = /<[^?]*([^>]*)>; rel="next"/.exec(headers.get("Link") ?? "") ?? [];
      return path.split("?")[0] + query;
    },
    renewEvents: () => stage.renewEvents(service),
    async add(path, body) {
      const shot = { target: path, ...(body && { body: JSON.stringify(body) }) };
      const reply = await stage.send({ service, method: "POST" }, shot);
      if (reply.status >= 300) throw new Error(`POST ${path}: ${reply.status} ${reply.body}`);
      return String(JSON.parse(reply.body).id);
    },
  };
}

const UNKNOWN = "999999999";
const PET = { name: "Rex", categoryId: 1, status: "available" };

const addPet = (at: Place) => at.add("/pets", PET);
const addCategory = (at: Place) => at.add("/categories", { name: "Cats" });
const addOrder = async (at: Place) => at.add("/store/orders", { petId: Number(await addPet(at)) });

async function addCompleteOrder(at: Place): Promise<string> {
  const id = await addOrder(at);
  await at.add(`/store/orders/${id}/complete`);
  return id;
}

async function addOrderedPet(at: Place): Promise<string> {
  const petId = await addPet(at);
  await at.add("/store/orders", { petId: Number(petId) });
  return petId;
}

/** A page that has a next one. */
function listRecipe(path: string, addOne: (at: Place) => Promise<string>): Recipe {
  return {
    async success(at) {
      await addOne(at);
      await addOne(at);
      return { target: `${path}?limit=1` };
    },
    refusals: { invalid_cursor: async () => ({ target: `${path}?cursor=x` }) },
  };
}

/** One resource: a request for it, and the same for one that is not there. */
function resourceRecipe(
  addOne: (at: Place) => Promise<string>,
  requestFor: (id: string) => Shot,
  refusals: Recipe["refusals"] = {},
): Recipe {
  return {
    success: async (at) => requestFor(await addOne(at)),
    refusals: { not_found: async () => requestFor(UNKNOWN), ...refusals },
  };
}

const changePet = (id: string): Shot => ({ target: `/pets/${id}`, body: '{"status":"sold"}' });
const petAt = (id: string): Shot => ({ target: `/pets/${id}` });
const categoryAt = (id: string): Shot => ({ target: `/categories/${id}` });
const orderAt = (id: string): Shot => ({ target: `/store/orders/${id}` });
const completionOf = (id: string): Shot => ({ target: `/store/orders/${id}/complete` });
const orderFor = (petId: string): Shot => ({ target: "/store/orders", body: `{"petId":${petId}}` });

/** By operation id: an operation of a document without a recipe fails the test. */
export const RECIPES: Readonly<Record<string, Recipe>> = {
  listPets: listRecipe("/pets", addPet),
  createPet: { success: async () => ({ target: "/pets", body: JSON.stringify(PET) }) },
  getPet: resourceRecipe(addPet, petAt),
  updatePet: resourceRecipe(addPet, changePet, {
    pet_has_open_order: async (at) => changePet(await addOrderedPet(at)),
  }),
  deletePet: resourceRecipe(addPet, petAt, {
    pet_has_open_order: async (at) => petAt(await addOrderedPet(at)),
  }),
  listCategories: listRecipe("/categories", addCategory),
  getCategory: resourceRecipe(addCategory, categoryAt),
  updateCategory: resourceRecipe(addCategory, (id) => ({ ...categoryAt(id), body: '{"name":"Felines"}' })),
  deleteCategory: resourceRecipe(addCategory, categoryAt, {
    category_in_use: async (at) => {
      const id = await addCategory(at);
      await at.add("/pets", { ...PET, categoryId: Number(id) });
      return categoryAt(id);
    },
  }),
  createCategory: { success: async () => ({ target: "/categories", body: '{"name":"Cats"}' }) },
  listOrders: listRecipe("/store/orders", addOrder),
  placeOrder: resourceRecipe(addPet, orderFor, {
    pet_not_available: async (at) => orderFor(await addOrderedPet(at)),
  }),
  getOrder: resourceRecipe(addOrder, orderAt),
  completeOrder: resourceRecipe(addOrder, completionOf, {
    order_already_complete: async (at) => completionOf(await addCompleteOrder(at)),
  }),
  cancelOrder: resourceRecipe(addOrder, orderAt, {
    order_already_complete: async (at) => orderAt(await addCompleteOrder(at)),
  }),
  listEvents: {
    async success(at) {
      await addPet(at);
      return { target: "/events?order=asc&limit=1" };
    },
    refusals: {
      invalid_cursor: async () => ({ target: "/events?cursor=x" }),
      async cursor_expired(at) {
        await at.renewEvents();
        const target = await at.nextOf("/events?order=asc&limit=1");
        await at.renewEvents();
        return { target };
      },
    },
  },
  submitMessage: { success: async () => ({ target: "/messages", body: '{"message":"x"}' }) },
  getMessage: resourceRecipe(
    (at) => at.add("/messages", { message: "x" }),
    (id) => ({ target: `/messages/${id}` }),
  ),
};
