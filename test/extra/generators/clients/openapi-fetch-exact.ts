import createClient from "openapi-fetch";
import type { components, paths } from "../generated/openapi-typescript-exact.ts";
import { readExact, writeExact } from "./exact-json.ts";
import { BEYOND, type Findings, type Target, textOf } from "./findings.ts";

type Pet = components["schemas"]["Pet"];

/** Tests the client library openapi-fetch with settings for 64-bit integers and comma-separated lists. */
export async function tryOut({ baseUrl, key }: Target, exactPet: number): Promise<Findings> {
  const client = createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${key}` },
    querySerializer: { array: { style: "form", explode: false } },
    bodySerializer: writeExact,
  });
  const parseAs = "text";
  const created = await client.POST("/pets", { body: { name: "Fluffy", categoryId: 1 }, parseAs });
  const { id } = readExact(created.data ?? "{}") as Pet;
  const named = await client.GET("/pets", { params: { query: { id: [id, exactPet] } }, parseAs });
  const page = await client.GET("/pets", { params: { query: { limit: 1 } }, parseAs });
  const missing = await client.DELETE("/pets/{petId}", { params: { path: { petId: 999_999 } } });
  const read = await client.GET("/pets/{petId}", { params: { path: { petId: exactPet } }, parseAs });
  const sent = await client.POST("/pets", { body: { name: "Far", categoryId: BEYOND }, parseAs });
  const events = await client.GET("/events", { params: { query: { order: "asc", limit: 1 } } });
  if (typeof events.data === "string") throw new Error("a stream");
  return {
    created: created.response.status,
    listedByIds: (readExact(named.data ?? "[]") as Pet[]).length,
    error: textOf(missing.error),
    firstEvent: events.data?.[0]?.type,
    hasNextLink: page.response.headers.get("Link")?.includes('rel="next"') ?? false,
    read: String((readExact(read.data ?? "{}") as Pet).categoryId),
    sent: Number((readExact(sent.data ?? "{}") as Pet).id),
  };
}
