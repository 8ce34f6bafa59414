import type { RequestTemplate } from "./load/job.ts";
import { followPages } from "./pages.ts";
import type { Target } from "./request.ts";
import { create, get, pseudoRandom, shuffled, times } from "./work.ts";

export const READS = [
  "page 1",
  "deep page",
  "cold page",
  "status",
  "category",
  "category and status",
  "20 by identifier",
  "one animal",
] as const;
export const CREATE = "create";

/** The deep page is page 10,000 of 20. It is reached in steps of 100: a cursor does not depend on the page length. */
const STRIDE = 100;
const STRIDES = 2_000;
const CATEGORIES = 100;
const ID_LISTS = 500;
/** Between identifiers asked together: none twice in a store of 1,000. */
const ID_DISTANCE = 37;
/** More requests than the response cache holds. */
const DIFFERENT_REQUESTS = 4_000;

type Requests = readonly RequestTemplate[];

/** The same work whatever the number of animals: every page is full in a store of 1,000. */
export async function growthWorks(
  server: Target,
  animals: number,
): Promise<Readonly<Record<(typeof READS)[number] | typeof CREATE, Requests>>> {
  const random = pseudoRandom();
  const anAnimal = () => Math.floor(random() * animals);
  const stride = Math.min(STRIDE, Math.ceil(animals / STRIDES));
  const strides = await followPages(server, STRIDES, `/v1/pets?limit=${stride}`);
  // The last pages may not be full.
  const pages = strides
    .slice(0, -PAGE_LENGTH)
    .map((path) => path.replace(`limit=${stride}`, `limit=${PAGE_LENGTH}`));
  const categories = times(CATEGORIES, (category) => `/v1/pets?limit=10&categoryId=${category}`);
  const withStatus = categories.flatMap((path, category) => {
    const status = STATUSES[category % ANIMAL_STATUSES];
    return status === undefined ? [] : [`${path}&status=${status}`];
  });
  return {
    "page 1": [get(server, `/v1/pets?limit=${PAGE_LENGTH}`)],
    "deep page": [get(server, pages.at(-1) ?? "")],
    "cold page": uncached(server, pages),
    status: uncached(
      server,
      STATUSES.map((status) => `/v1/pets?limit=${PAGE_LENGTH}&status=${status}`),
    ),
    category: uncached(server, categories),
    "category and status": uncached(server, withStatus),
    "20 by identifier": uncached(
      server,
      times(ID_LISTS, () => {
        const first = anAnimal();
        const ids = times(PAGE_LENGTH, (index) => 1 + ((first + index * ID_DISTANCE) % animals));
        return `/v1/pets?id=${ids.join(",")}`;
      }),
    ),
    "one animal": times(DIFFERENT_REQUESTS, () => get(server, `/v1/pets/${1 + anAnimal()}`)),
    [CREATE]: times(DIFFERENT_REQUESTS, (index) => create(server, index)),
  };
}

const PAGE_LENGTH = 20;
/** As in ANIMAL: a quarter of all animals has none. */
const STATUSES = ["available", "pending", "sold"];
const ANIMAL_STATUSES = 4;

/** A pair without a name is nothing, but another address for the response cache. */
function uncached(server: Target, paths: readonly string[]): Requests {
  const requests = times(DIFFERENT_REQUESTS, (index) => {
    const path = paths[index % paths.length] ?? "";
    return get(server, path + "&".repeat(Math.floor(index / paths.length)));
  });
  return shuffled(requests);
}
