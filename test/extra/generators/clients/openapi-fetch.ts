import createClient from "openapi-fetch";
import type { paths } from "../generated/openapi-typescript.ts";
import { BEYOND, type Findings, type Target, textOf } from "./findings.ts";

/** Tests the client library openapi-fetch with the settings in its README. */
export async function tryOut({ baseUrl, key }: Target, exactPet: number): Promise<Findings> {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });
  const created = await client.POST("/pets", { body: { name: "Fluffy", categoryId: 1 } });
  const id = created.data?.id ?? 0;
  const named = await client.GET("/pets", { params: { query: { id: [id, exactPet] } } });
  const page = await client.GET("/pets", { params: { query: { limit: 1 } } });
  const missing = await client.DELETE("/pets/{petId}", { params: { path: { petId: 999_999 } } });
  const read = await client.GET("/pets/{petId}", { params: { path: { petId: exactPet } } });
  const sent = await client.POST("/pets", { body: { name: "Far", categoryId: Number(BEYOND) } });
  const events = await client.GET("/events", { params: { query: { order: "asc", limit: 1 } } });
  if (typeof events.data === "string") throw new Error("a stream");
  return {
    created: created.response.status,
    listedByIds: named.data?.length ?? named.error?.code,
    error: textOf(missing.error),
    firstEvent: events.data?.[0]?.type,
    hasNextLink: page.response.headers.get("Link")?.includes('rel="next"') ?? false,
    read: String(read.data?.categoryId),
    sent: sent.data?.id ?? sent.error?.code,
  };
}
