import { createClient } from "../generated/hey-api/client/index.ts";
import { createPet, deletePet, getPet, listEvents, listPets } from "../generated/hey-api/index.ts";
import { BEYOND, type Findings, type Target, textOf } from "./findings.ts";

/** Tests the client that Hey API generates with the settings on its getting-started page. */
export async function tryOut({ baseUrl, key }: Target, exactPet: number): Promise<Findings> {
  const client = createClient({ baseUrl, auth: key });
  const created = await createPet({ client, body: { name: "Fluffy", categoryId: 1 } });
  const named = await listPets({ client, query: { id: [created.data?.id ?? 0, exactPet] } });
  const page = await listPets({ client, query: { limit: 1 } });
  const missing = await deletePet({ client, path: { petId: 999_999 } });
  const read = await getPet({ client, path: { petId: exactPet } });
  const sent = await createPet({ client, body: { name: "Far", categoryId: Number(BEYOND) } });
  const events = await listEvents({ client, query: { order: "asc", limit: 1 } });
  if (typeof events.data === "string") throw new Error("a stream");
  return {
    created: created.response?.status,
    listedByIds: named.data?.length ?? named.error?.code,
    error: textOf(missing.error),
    firstEvent: events.data?.[0]?.type,
    hasNextLink: page.response?.headers.get("Link")?.includes('rel="next"') ?? false,
    read: String(read.data?.categoryId),
    sent: sent.data?.id ?? sent.error?.code,
  };
}
