import { createClient } from "../generated/hey-api-bigint/client/index.ts";
import { createPet, deletePet, getPet, listEvents, listPets } from "../generated/hey-api-bigint/index.ts";
import { readExact, writeExact } from "./exact-json.ts";
import { BEYOND, type Findings, type Target, textOf } from "./findings.ts";

/** With `parseAs: "text"`, the generated client returns a string, although its type declares an object. */
function exact<Type>(data: Type | undefined): Type {
  return readExact(String(data)) as Type;
}

/**
 * Tests the client that Hey API generates with its `bigint` plugin. Bodies are read and written in this file, so that they keep
 * every digit.
 */
export async function tryOut({ baseUrl, key }: Target, exactPet: number): Promise<Findings> {
  const client = createClient({ baseUrl, auth: key, parseAs: "text" });
  const bodySerializer = writeExact;
  const created = await createPet({ client, bodySerializer, body: { name: "Fluffy", categoryId: 1n } });
  const named = await listPets({ client, query: { id: [exact(created.data).id, BigInt(exactPet)] } });
  const page = await listPets({ client, query: { limit: 1 } });
  const missing = await deletePet({ client, path: { petId: 999_999n } });
  const read = await getPet({ client, path: { petId: BigInt(exactPet) } });
  const sent = await createPet({ client, bodySerializer, body: { name: "Far", categoryId: BEYOND } });
  const { data } = await listEvents({ client, query: { order: "asc", limit: 1 } });
  const events = exact(data);
  if (typeof events === "string") throw new Error("a stream");
  return {
    created: created.response?.status,
    listedByIds: exact(named.data).length,
    error: textOf(missing.error),
    firstEvent: events[0]?.type,
    hasNextLink: page.response?.headers.get("Link")?.includes('rel="next"') ?? false,
    read: String(exact(read.data).categoryId),
    sent: Number(exact(sent.data).id),
  };
}
