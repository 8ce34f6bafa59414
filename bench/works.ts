import { followPages, get, patch, post, type Request, type Target } from "./request.ts";

/** A workload, such as creating animals, which is measured separately from all others. README.md describes each workload. */
export interface Work {
  readonly name: string;
  /** The kind of server that cannot do this workload: `peers` lack some operations, and `constants` ignore header fields. */
  readonly beyond?: "peers" | "constants";
  /** The names of the other servers that support this workload. By default, all of them do. */
  readonly peers?: readonly string[];
  requests(target: Target): Promise<readonly Request[]>;
  /** Returns the port that the requests are sent to. By default, this is the server's own port. */
  portOf?(port: number): number;
  readonly changes?: true;
  /** The numbers of responses to measure. The default depends on whether the workload changes the store. */
  readonly counts?: Counts;
}

/** Numbers of responses in each phase of a measurement. */
export interface Counts {
  /** The number of responses before the first measurement of a workload. In this time, the runtime compiles the code. */
  readonly settle: number;
  /** The number of responses at the start of each measurement that are not measured. They fill the processor's caches. */
  readonly warmUp: number;
  readonly measure: number;
}

export const READS: Counts = { settle: 25_000, warmUp: 1_500, measure: 5_000 };
export const CREATES: Counts = { settle: 10_000, warmUp: 500, measure: 2_500 };
/**
 * Fewer creates are measured for the other servers, because these commit every create separately, which takes several times as
 * long.
 */
export const PEERS_CREATES: Counts = { settle: 3_000, warmUp: 100, measure: 600 };

/** A placeholder in a request, which is replaced each time with a number that no other request has. */
export const NUMBER_MARK = "############";
/** The number of different requests. It is higher than the number of responses that any server caches. */
const DIFFERENT_REQUESTS = 4_000;
const ORDERS = 1_700;
/** The other servers that can change and order animals. */
const CHANGING_PEERS = ["fastify-better-sqlite3", "fastify-pg"];
const HOT_PAGE = "/v1/pets?limit=20";
const CATEGORY_PAGES = times(100, (category) => `/v1/pets?limit=10&categoryId=${category}`);
const SOLD_PAGES = CATEGORY_PAGES.map((path) => `${path}&status=sold`);
/**
 * The distance between two identifiers that are read one after the other. It is a large prime, so that the reads are spread over
 * the whole store. All servers get the same identifiers.
 */
const SCATTER = 7_919;
/**
 * The distance between the identifiers in one request. It is chosen so that no identifier is repeated in a store of 1,000 animals.
 */
const ID_DISTANCE = 37;

/** All workloads. Those that change the store come last. */
export const WORKS: readonly Work[] = [
  { name: "list-hot", requests: async (target) => [get(target, HOT_PAGE)] },
  {
    name: "list-pages",
    requests: async (target) => uncached(target, await followPages(target, DIFFERENT_REQUESTS, HOT_PAGE)),
  },
  {
    name: "list-status",
    beyond: "peers",
    requests: async (target) => uncached(target, [`${HOT_PAGE}&status=sold`]),
  },
  { name: "list-category", beyond: "peers", requests: async (target) => uncached(target, CATEGORY_PAGES) },
  { name: "list-both", beyond: "peers", requests: async (target) => uncached(target, SOLD_PAGES) },
  {
    name: "list-ids",
    beyond: "peers",
    requests: async (target) =>
      scatteredIds(target).map((first) => {
        const ids = times(20, (index) => 1 + ((first + index * ID_DISTANCE) % target.animals));
        return get(target, `/v1/pets?id=${ids.join(",")}`);
      }),
  },
  {
    name: "get",
    requests: async (target) => scatteredIds(target).map((id) => get(target, `/v1/pets/${id}`)),
  },
  {
    name: "unauthorized",
    beyond: "constants",
    requests: async (target) => [get({ ...target, key: target.unknownKey }, HOT_PAGE, 401)],
  },
  { name: "create", changes: true, requests: async (target) => creates(target) },
  {
    name: "create-once",
    changes: true,
    beyond: "peers",
    requests: async (target) => creates(target, { "Idempotency-Key": `bench-${NUMBER_MARK}` }),
  },
  {
    name: "patch",
    changes: true,
    peers: CHANGING_PEERS,
    counts: PEERS_CREATES,
    requests: async (target) =>
      scatteredIds(target).map((id) =>
        patch(target, JSON.stringify({ name: `Renamed ${NUMBER_MARK}` }), `/v1/pets/${id}`),
      ),
  },
  {
    name: "order",
    changes: true,
    peers: CHANGING_PEERS,
    counts: { settle: 1_500, warmUp: 100, measure: 600 },
    requests: async (target) =>
      nextAvailable(target).map((petId) => post(target, JSON.stringify({ petId }), {}, "/v1/store/orders")),
  },
];

/** The first animal that has not been ordered yet, keyed by server, because each animal can be ordered only once. */
const unordered = new Map<string, number>();

/**
 * Returns the identifiers of more available animals than one measurement needs. Every fourth animal is available (see stores.ts).
 */
function nextAvailable({ name, animals }: Target): readonly number[] {
  const first = unordered.get(name) ?? 4;
  unordered.set(name, first + 4 * ORDERS);
  if (first + 4 * ORDERS > animals) throw new Error("No available animals are left: use fewer slices.");
  return times(ORDERS, (index) => first + 4 * index);
}

function creates(target: Target, headers: Request["headers"] = {}): readonly Request[] {
  return times(DIFFERENT_REQUESTS, (index) => {
    const pet = { name: `Newcomer ${index}`, categoryId: index % CATEGORY_PAGES.length, status: "available" };
    return post(target, JSON.stringify(pet), headers);
  });
}

/**
 * Creates requests that no server can answer from a cache. A repeated path gets a query parameter without a name, which changes the
 * cache's key but not the result.
 */
function uncached(target: Target, paths: readonly string[]): readonly Request[] {
  return times(DIFFERENT_REQUESTS, (index) => {
    const at = (index * SCATTER) % DIFFERENT_REQUESTS;
    const repeated = Math.floor(at / paths.length);
    return get(target, (paths[at % paths.length] ?? "") + (repeated === 0 ? "" : `&=${repeated}`));
  });
}

function scatteredIds({ animals }: Target): readonly number[] {
  return times(DIFFERENT_REQUESTS, (index) => 1 + ((index * SCATTER) % animals));
}

function times<Item>(count: number, make: (index: number) => Item): readonly Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
