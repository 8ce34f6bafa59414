import { type Endpoints, endpoint } from "../http/endpoint.ts";
import { rehearsalOperations } from "../rehearsal/contract.ts";
import type { Rehearsal } from "../rehearsal/rehearsal.ts";
import { deleteTestClock, getTestClock, setTestClock } from "../rehearsal/test-clock.ts";

/** The operations that staging alone has. */
export function rehearsalEndpoints({ reload }: Rehearsal): Endpoints<typeof rehearsalOperations> {
  // This process answers by the new time from the next request on.
  const reloading = { onCommitted: reload };
  return {
    getTestClock: endpoint(rehearsalOperations.getTestClock, getTestClock),
    setTestClock: endpoint(rehearsalOperations.setTestClock, setTestClock, reloading),
    deleteTestClock: endpoint(rehearsalOperations.deleteTestClock, deleteTestClock, reloading),
  };
}
