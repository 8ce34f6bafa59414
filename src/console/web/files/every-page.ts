import { callPage, type Query } from "../request.ts";
import { patiently } from "./patiently.ts";

/** The pages of a list to its end. */
export async function* everyPage<Item>(
  path: string,
  query: Query,
  signal: AbortSignal,
): AsyncGenerator<readonly Item[], void, void> {
  let cursor: string | undefined;
  do {
    const page = await patiently(signal, () =>
      callPage<Item>(path, { query: { ...query, limit: "100", cursor }, signal }),
    );
    yield page.items;
    cursor = page.next;
  } while (cursor !== undefined);
}
