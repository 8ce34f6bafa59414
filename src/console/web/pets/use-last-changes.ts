import type { Int64 } from "exact-json/int64";
import type { Pet } from "../../../pets/contract.ts";
import type { LastChange } from "../../contract.ts";
import { useLive } from "../events/live.ts";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";

const IDS_MAX = 100;

type LastChangeByPet = ReadonlyMap<Int64, LastChange>;

/**
 * Returns the time and the author of each animal's last change. An animal is left out if the event of its last change is no
 * longer stored. Reads the changes once, and then updates them live.
 */
export function useLastChanges(pets: readonly Pet[]): LastChangeByPet {
  const ids = pets.map(({ id }) => id);
  // A failure to read the last changes is not shown, because the list is useful even without them.
  const known = useLoad((signal) => readChanges(ids, signal), [ids.join()]);
  useLive(["pet"], async (changes) => {
    const newer = changes?.map(
      (event) => [event.data.id, { ...event, id: event.data.id, petId: event.data.id }] as const,
    );
    const fresh = newer ?? (await readChanges(ids));
    known.update((shown) => new Map([...shown, ...fresh]));
  });
  return known.value ?? new Map();
}

async function readChanges(ids: readonly Int64[], signal?: AbortSignal): Promise<LastChangeByPet> {
  const found: LastChange[] = [];
  for (let start = 0; start < ids.length; start += IDS_MAX) {
    const id = ids.slice(start, start + IDS_MAX).join();
    found.push(...(await call<readonly LastChange[]>("GET", "/last-changes", { query: { id }, signal })));
  }
  return new Map(found.map((change) => [change.petId, change]));
}
