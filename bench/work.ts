import { ANIMALS } from "./animals.ts";
import { NUMBER_MARK, type RequestTemplate } from "./load/job.ts";
import { ask, requestText, type Target } from "./request.ts";

export interface WorkTarget extends Target {
  readonly unknownKey: string;
  /** Paths of its pages, from its `Link` headers. */
  readonly pages: readonly string[];
}

/** A workload, measured by itself. */
export interface Work {
  readonly name: string;
  readonly title: string;
  /** Default numbers of concurrent clients. */
  readonly connections: readonly number[];
  /** The response depends on header fields: bare-bun cannot give it. */
  readonly isBeyondConstants?: true;
  requests(target: WorkTarget): Promise<readonly RequestTemplate[]>;
}

export const NEW_PET = JSON.stringify({ name: "Fluffy", categoryId: 1, status: "available" });
const MANY = [1, 64, 512];
const USUAL = [64];
const COLD = [64, 512];
const HOT_PAGE = "/v1/pets?limit=20";
const DIFFERENT_REQUESTS = 2_000;
const CATEGORIES = 100;

export const WORKS: readonly Work[] = [
  {
    name: "list-hot",
    title: `the first page of 20 again and again (GET ${HOT_PAGE})`,
    connections: MANY,
    requests: async (target) => [get(target, HOT_PAGE)],
  },
  {
    name: "list-pages",
    title: "4,000 pages of 20 in random order, more than a cache of pages holds",
    connections: COLD,
    requests: async (target) => shuffled(target.pages).map((path) => get(target, path)),
  },
  {
    name: "list-100",
    title: "the first page of 100 (GET /v1/pets?limit=100)",
    connections: USUAL,
    requests: async (target) => [get(target, "/v1/pets?limit=100")],
  },
  {
    name: "get",
    title: "one animal by its identifier, each time another (GET /v1/pets/{petId})",
    connections: USUAL,
    async requests(target) {
      const random = pseudoRandom();
      return times(DIFFERENT_REQUESTS, () => get(target, `/v1/pets/${1 + Math.floor(random() * ANIMALS)}`));
    },
  },
  {
    name: "unauthorized",
    title: "the first page with an unknown key (401)",
    connections: USUAL,
    isBeyondConstants: true,
    requests: async ({ port, unknownKey }) => [
      { text: requestText({ port, key: unknownKey }, "GET", HOT_PAGE), status: 401 },
    ],
  },
  {
    name: "not-modified",
    title: "the first page, unchanged since (If-None-Match, 304)",
    connections: USUAL,
    isBeyondConstants: true,
    async requests(target) {
      const { headers } = await ask(target, "GET", HOT_PAGE);
      const known = { "If-None-Match": headers.get("etag") ?? "none" };
      return [{ text: requestText(target, "GET", HOT_PAGE, { headers: known }), status: 304 }];
    },
  },
  {
    name: "create",
    title: "a new animal in one of 100 categories, on disk when answered (POST /v1/pets)",
    connections: MANY,
    requests: async (target) => times(DIFFERENT_REQUESTS, (index) => create(target, index)),
  },
  {
    name: "create-once",
    title: "the same with an Idempotency-Key, each time another",
    connections: USUAL,
    requests: async (target) => {
      const headers = { "Idempotency-Key": `bench-${NUMBER_MARK}` };
      return times(DIFFERENT_REQUESTS, (index) => create(target, index, headers));
    },
  },
  {
    name: "mix",
    title: "nine first pages to one new animal",
    connections: USUAL,
    requests: async (target) =>
      shuffled(
        times(DIFFERENT_REQUESTS, (index) =>
          index % 10 === 0 ? create(target, index) : get(target, HOT_PAGE),
        ),
      ),
  },
];

export function get(target: Target, path: string): RequestTemplate {
  return { text: requestText(target, "GET", path), status: 200 };
}

export function create(
  target: Target,
  index: number,
  headers: Readonly<Record<string, string>> = {},
): RequestTemplate {
  const pet = { name: `Newcomer ${index}`, categoryId: index % CATEGORIES, status: "available" };
  return {
    text: requestText(target, "POST", "/v1/pets", { headers, body: JSON.stringify(pet) }),
    status: 201,
  };
}

/** xorshift32 with a fixed seed: every server gets the same requests. */
export function pseudoRandom(): () => number {
  let state = 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

export function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  const random = pseudoRandom();
  return items
    .map((item) => ({ item, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

export function times<Item>(count: number, make: (index: number) => Item): readonly Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
