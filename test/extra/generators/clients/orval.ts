import { createPet, deletePet, getPet, listEvents, listPets } from "../generated/orval.ts";
import { BEYOND, type Findings, type Target, textOf } from "./findings.ts";
import { address } from "./orval-address.ts";

/** Tests the client that orval generates for `fetch`. */
export async function tryOut({ baseUrl, key }: Target, exactPet: number): Promise<Findings> {
  address.base = baseUrl;
  const options = { headers: { Authorization: `Bearer ${key}` } };
  const created = await createPet({ name: "Fluffy", categoryId: 1 }, options);
  const ownId = created.status === 201 ? created.data.id : 0;
  const named = await listPets({ id: [ownId, exactPet] }, options);
  const page = await listPets({ limit: 1 }, options);
  const missing = await deletePet(999_999, options);
  const read = await getPet(exactPet, options);
  const sent = await createPet({ name: "Far", categoryId: Number(BEYOND) }, options);
  const events = await listEvents({ order: "asc", limit: 1 }, options);
  if (events.status !== 200 || typeof events.data === "string") throw new Error("a stream");
  return {
    created: created.status,
    listedByIds: named.status === 200 ? named.data.length : undefined,
    error: missing.status === 404 ? textOf(missing.data) : undefined,
    firstEvent: events.data[0]?.type,
    hasNextLink: page.headers.get("Link")?.includes('rel="next"') ?? false,
    read: String(read.status === 200 ? read.data.categoryId : undefined),
    sent: sent.status === 201 ? sent.data.id : undefined,
  };
}
