import { createClient } from "../generated/hey-api/client/index.ts";
import { createPet, deletePet, getPet, listPets } from "../generated/hey-api/index.ts";
import { BEYOND, type Findings, type Target } from "./findings.ts";

/** Hey API as in its getting-started page. */
export async function tryOut({ baseUrl, key }: Target, exactPet: number): Promise<Findings> {
  const client = createClient({ baseUrl, auth: key });
  const created = await createPet({ client, body: { name: "Fluffy", categoryId: 1 } });
  const named = await listPets({ client, query: { id: [created.data?.id ?? 0, exactPet] } });
  const page = await listPets({ client, query: { limit: 1 } });
  const missing = await deletePet({ client, path: { petId: 999_999 } });
  const read = await getPet({ client, path: { petId: exactPet } });
  const sent = await createPet({ client, body: { name: "Far", categoryId: Number(BEYOND) } });
  return {
    created: created.response?.status,
    listedByIds: named.data?.length ?? named.error?.code,
    error: missing.error?.code,
    hasNextLink: page.response?.headers.get("Link")?.includes('rel="next"') ?? false,
    read: String(read.data?.categoryId),
    sent: sent.data?.id ?? sent.error?.code,
  };
}
