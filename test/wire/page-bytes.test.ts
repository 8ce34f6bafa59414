import { beforeAll, expect, test } from "bun:test";
import { signUp } from "./browser-session.ts";
import { type Reply, send } from "./send.ts";
import { onBothEngines } from "./server.ts";

const PAGE_BYTES_MAX = 1024 * 1024;
/** A word, and characters of 2, 3 and 4 bytes, and one that JSON escapes: 60,000 bytes each. */
const LONG = ["é".repeat(30_000), "漢".repeat(20_000), "🐈".repeat(15_000), '"'.repeat(30_000)].map(
  (text) => `a ${text}`,
);
/** Number of short items; the long ones are added later, so lists return them first. */
const SHORT = 30;
const COUNT = SHORT + 40;

type Get = (path: string) => Promise<Reply>;

onBothEngines(({ useStore }) => {
  const server = useStore();
  let lists: Readonly<Record<string, { readonly path: string; readonly get: Get }>>;
  beforeAll(async () => {
    const person = await signUp(server, "ada@example.com");
    for (let count = 0; count < COUNT; count++) {
      const text = count < SHORT ? "a short one" : LONG[count % LONG.length];
      for (const [address, body] of [
        [`${server.production}/pets`, { name: text, categoryId: 1 }],
        [`${server.production}/categories`, { name: text }],
        [`${server.messages}/messages`, { message: text }],
      ] as const) {
        const { status } = await send("POST", address, { key: server.key, body: JSON.stringify(body) });
        expect(status).toBeLessThan(300);
      }
    }
    const byPage: Get = (path) => person.call(`GET ${path}`);
    const ids = Array.from({ length: COUNT }, (_, index) => index + 1).join();
    lists = {
      animals: { path: "/pets", get: server.get },
      "animals by their identifiers": { path: `/pets?id=${ids}`, get: server.get },
      "animals by a word": { path: "/pets?name=a", get: server.get },
      categories: { path: "/categories", get: server.get },
      "animals in the console": { path: "/pets", get: byPage },
      "messages in the console": { path: "/messages", get: byPage },
    };
  });

  test.each([
    "animals",
    "animals by their identifiers",
    "animals by a word",
    "categories",
    "animals in the console",
    "messages in the console",
  ])("a page of %s ends before 1 MiB, and the next one goes on there", async (name) => {
    const { path, get } = lists[name] ?? expect.unreachable();
    const first = `${path}${path.includes("?") ? "&" : "?"}limit=100`;
    const ids: unknown[] = [];
    const bytes: number[] = [];
    for (let next: string | undefined = first; next !== undefined; ) {
      const page = await get(next);
      expect(page.status).toBe(200);
      bytes.push(Buffer.byteLength(page.body));
      ids.push(...JSON.parse(page.body).map(({ id }: { id: unknown }) => id));
      const query = /\?([^>]+)>; rel="next"/.exec(page.headers.get("Link") ?? "")?.[1];
      next = query && `${path.split("?")[0]}?${query}`;
    }
    expect(bytes.length).toBeGreaterThan(2);
    expect(bytes.filter((size) => size > PAGE_BYTES_MAX)).toEqual([]);
    // Every page except the last has no room for another item.
    expect(bytes.slice(0, -1).filter((size) => size < PAGE_BYTES_MAX - 61_000)).toEqual([]);
    expect(new Set(ids).size).toBe(COUNT);
    expect(ids.length).toBe(COUNT);
  });
});
