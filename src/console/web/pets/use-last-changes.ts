import { useSignal } from "@preact/signals";
import type { Int64 } from "exact-json/int64";
import { useEffect } from "preact/hooks";
import type { Pet } from "../../../pets/contract.ts";
import type { LastChange } from "../../contract.ts";
import { useLive } from "../events/live.ts";
import { call } from "../request.ts";

const IDS_MAX = 100;

/** Last changes by animal; undefined for an animal whose events are no longer kept. */
type LastChanges = ReadonlyMap<Int64, LastChange | undefined>;

/** Time and author of each animal's last change: read once, then updated live. */
export function useLastChanges(pets: readonly Pet[]): LastChanges {
  const known = useSignal<LastChanges>(new Map());
  const unknown = pets.filter(({ id }) => !known.value.has(id)).map(({ id }) => id);
  function add(changes: readonly LastChange[], asked: readonly Int64[] = []) {
    const next = new Map(known.value);
    for (const id of asked) next.set(id, next.get(id));
    for (const change of changes) next.set(change.petId, change);
    known.value = next;
  }
  useEffect(() => {
    const aborter = new AbortController();
    // A failure is not shown: the list is useful without it.
    void readChanges(unknown, aborter.signal).then(
      (changes) => add(changes, unknown),
      () => {},
    );
    return () => aborter.abort();
  }, [unknown.join()]);
  useLive(["pet"], async (changes) => {
    if (changes !== undefined) return add(changes.map((event) => ({ ...event, petId: event.data.id })));
    add(await readChanges(pets.map(({ id }) => id)));
  });
  return known.value;
}

async function readChanges(ids: readonly Int64[], signal?: AbortSignal): Promise<readonly LastChange[]> {
  const found: LastChange[] = [];
  for (let start = 0; start < ids.length; start += IDS_MAX) {
    const id = ids.slice(start, start + IDS_MAX).join();
    found.push(...(await call<readonly LastChange[]>("GET", "/last-changes", { query: { id }, signal })));
  }
  return found;
}
