import type { Idempotency } from "../http/idempotency/idempotency.ts";
import type { IdempotentRequest } from "../http/idempotency/record-store.ts";
import { IMPORT_KEY } from "../pet-files/idempotency-keys.ts";

/**
 * Records the lines of an import under the path that API keys use, so that the command line, with a key of the same account,
 * continues what the console began. Other requests keep their own path: no record from before an upgrade is lost.
 */
export function shareImportKeys(idempotency: Idempotency): Idempotency {
  const shared = (request: IdempotentRequest): IdempotentRequest => {
    if (!request.key.startsWith(IMPORT_KEY)) return request;
    return { ...request, path: request.path.replace(/^\/console\/api\//, "/v1/") };
  };
  return {
    ...idempotency,
    run: (request, work) => idempotency.run(shared(request), work),
    insertIdempotent: (request, ...rest) => idempotency.insertIdempotent(shared(request), ...rest),
  };
}
