import { callPage, PATIENT, type Query } from "./request.ts";

/** Reads the pages of a list, one after the other. */
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
