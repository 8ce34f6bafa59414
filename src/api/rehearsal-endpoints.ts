import type { Operation } from "../contract/operation.ts";
import { type Endpoint, type Endpoints, endpoint } from "../http/endpoint.ts";
import { rehearsalOperations } from "../rehearsal/contract.ts";
import type { Rehearsal } from "../rehearsal/rehearsal.ts";
import type { Emptying } from "../rehearsal/verbs.ts";

type Verb<O extends Operation> = Parameters<typeof endpoint<O>>[1];

/** The operations that staging alone has. Their code is loaded at the first use: production has none of it. */
export function rehearsalEndpoints(
  { reload }: Rehearsal,
  database: Emptying,
): Endpoints<typeof rehearsalOperations> {
  const { getTestClock, setTestClock, deleteTestClock, resetStore } = rehearsalOperations;
  const verbs = () => import("../rehearsal/verbs.ts");
  function loaded<O extends Operation>(operation: O, load: () => Promise<Verb<O>>): Endpoint<O> {
    // This process answers by what was changed from the next request on.
    const options = { prepare: load, onCommitted: reload };
    return endpoint(operation, async (ctx, input) => (await load())(ctx, input), options);
  }
  return {
    getTestClock: loaded(getTestClock, async () => (await verbs()).getTestClock),
    setTestClock: loaded(setTestClock, async () => (await verbs()).setTestClock),
    deleteTestClock: loaded(deleteTestClock, async () => (await verbs()).deleteTestClock),
    resetStore: loaded(resetStore, async () => {
      const { resetStore: reset } = await verbs();
      return (ctx, input) => reset(ctx, input, database);
    }),
  };
}
