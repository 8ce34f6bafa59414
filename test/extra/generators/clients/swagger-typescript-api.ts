import { Api, type HttpResponse } from "../generated/swagger-typescript-api.ts";
import { BEYOND, type Findings, type Target, textOf } from "./findings.ts";

/**
 * Tests the client that swagger-typescript-api generates with the settings in its README. If the service refuses a request, the
 * client throws the response, which has no type.
 */
export async function tryOut({ baseUrl, key }: Target, exactPet: number): Promise<Findings> {
  const baseApiParams = { secure: true, headers: { Authorization: `Bearer ${key}` } };
  const { pets, events } = new Api({ baseUrl, baseApiParams });
  const created = await pets.createPet({ name: "Fluffy", categoryId: 1 });
  const named = await pets.listPets({ id: [created.data.id, exactPet] });
  const page = await pets.listPets({ limit: 1 });
  const missing = await refusal(pets.deletePet(999_999, { format: "json" }));
  const read = await pets.getPet(exactPet);
  const sent = await pets.createPet({ name: "Far", categoryId: Number(BEYOND) });
  const oldest = await events.listEvents({ order: "asc", limit: 1 });
  return {
    created: created.status,
    listedByIds: named.data.length,
    error: textOf(missing),
    firstEvent: oldest.data[0]?.type,
    hasNextLink: page.headers.get("Link")?.includes('rel="next"') ?? false,
    read: String(read.data.categoryId),
    sent: sent.data.id,
  };
}

/** Returns the error that a call of the client throws, with the type that the client declares for it. */
async function refusal<Data, Refused>(call: Promise<HttpResponse<Data, Refused>>): Promise<Refused> {
  const { error } = await call.catch((thrown: HttpResponse<Data, Refused>) => thrown);
  return error;
}
