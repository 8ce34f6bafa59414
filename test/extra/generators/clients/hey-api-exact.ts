import { createClient } from "../generated/hey-api-bigint/client/index.ts";
import { createPet, deletePet, getPet, listPets } from "../generated/hey-api-bigint/index.ts";
import { readExact, writeExact } from "./exact-json.ts";
import { BEYOND, type Findings, type Target } from "./findings.ts";

/** `parseAs: "text"` gives a string, whose declared type is wrong. */
function exact<Type>(data: Type | undefined): Type {
  return readExact(String(data)) as Type;
}

/** Hey API with the `bigint` plugin's types, and exact bodies. */
export async function tryOut({ baseUrl, key }: Target, exactPet: number): Promise<Findings> {
  const client = createClient({ baseUrl, auth: key, parseAs: "text" });
  const bodySerializer = writeExact;
  const created = await createPet({ client, bodySerializer, body: { name: "Fluffy", categoryId: 1n } });
  const named = await listPets({ client, query: { id: [exact(created.data).id, BigInt(exactPet)] } });
  const page = await listPets({ client, query: { limit: 1 } });
  const missing = await deletePet({ client, path: { petId: 999_999n } });
  const read = await getPet({ client, path: { petId: BigInt(exactPet) } });
  const sent = await createPet({ client, bodySerializer, body: { name: "Far", categoryId: BEYOND } });
  return {
    created: created.response?.status,
    listedByIds: exact(named.data).length,
    error: missing.error?.code,
    hasNextLink: page.response?.headers.get("Link")?.includes('rel="next"') ?? false,
    read: String(exact(read.data).categoryId),
    sent: Number(exact(sent.data).id),
  };
}
