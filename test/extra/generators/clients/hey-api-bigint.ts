import { createClient } from "../generated/hey-api-bigint/client/index.ts";
import { createPet, deletePet, getPet, listEvents, listPets } from "../generated/hey-api-bigint/index.ts";
import { BEYOND, type Findings, type Target, textOf } from "./findings.ts";

/** Tests the client that Hey API generates with its `bigint` plugin. */
export async function tryOut({ baseUrl, key }: Target, exactPet: number): Promise<Findings> {
  const client = createClient({ baseUrl, auth: key });
  const created = await createPet({ client, body: { name: "Fluffy", categoryId: 1n } });
  const named = await listPets({ client, query: { id: [created.data?.id ?? 0n, BigInt(exactPet)] } });
  const page = await listPets({ client, query: { limit: 1 } });
  const missing = await deletePet({ client, path: { petId: 999_999n } });
  const read = await getPet({ client, path: { petId: BigInt(exactPet) } });
  const sent = await createPet({ client, body: { name: "Far", categoryId: BEYOND } });
  const events = await listEvents({ client, query: { order: "asc", limit: 1 } });
  if (typeof events.data === "string") throw new Error("a stream");
  return {
    created: created.response?.status,
    listedByIds: named.data?.length ?? named.error?.code,
    error: textOf(missing.error),
    firstEvent: events.data?.[0]?.type,
    hasNextLink: page.response?.headers.get("Link")?.includes('rel="next"') ?? false,
    read: String(read.data?.categoryId),
    sent: sent.data === undefined ? sent.error?.code : Number(sent.data.id),
  };
}
