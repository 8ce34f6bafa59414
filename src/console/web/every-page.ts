import { callPage, PATIENT, type Query } from "./request.ts";

export async function* everyPage<Item>(path: string, query: Query, signal: AbortSignal) {
  let next: string | undefined;
  do {
    const page = await callPage<Item>(path, {
      ...PATIENT,
      query: { ...query, limit: "100", cursor: next },
      signal,
    });
    yield page.items;
    ({ next } = page);
  } while (next !== undefined);
}
