import type { Operation } from "../contract/operation.ts";
import { type Endpoint, type Endpoints, endpoint } from "../http/endpoint.ts";
import { rehearsalOperations } from "../rehearsal/contract.ts";
import type { Rehearsal } from "../rehearsal/rehearsal.ts";
import type { Emptying } from "../rehearsal/reset-store.ts";

type Verb<O extends Operation> = Parameters<typeof endpoint<O>>[1];

/** The operations that staging alone has. Their code is loaded at the first use: production has none of it. */
export function rehearsalEndpoints(
  { reload }: Rehearsal,
  database: Emptying,
): Endpoints<typeof rehearsalOperations> {
  const { getTestClock, setTestClock, deleteTestClock, resetStore } = rehearsalOperations;
  const loadClock = () => import("../rehearsal/test-clock.ts");
  function loaded<O extends Operation>(operation: O, load: () => Promise<Verb<O>>): Endpoint<O> {
    // This process answers by what was changed from the next request on.
    const options = { prepare: load, onCommitted: reload };
    return endpoint(operation, async (ctx, input) => (await load())(ctx, input), options);
  }
  return {
    getTestClock: loaded(getTestClock, async () => (await loadClock()).getTestClock),
    setTestClock: loaded(setTestClock, async () => (await loadClock()).setTestClock),
    deleteTestClock: loaded(deleteTestClock, async () => (await loadClock()).deleteTestClock),
    resetStore: loaded(resetStore, async () => {
      const reset = await import("../rehearsal/reset-store.ts");
      return (ctx, input) => reset.resetStore(ctx, input, database);
    }),
  };
}
