import type { Idempotency } from "../http/idempotency/idempotency.ts";
import type { ResponseData } from "../http/response.ts";
import { IMPORT_KEY } from "../pet-files/idempotency-keys.ts";

const CONSOLE = "/console/api/";
const API = "/v1/";

/**
 * Stores the idempotency records of imports under the path of the public API. A person can therefore begin an import in the
 * console, and continue it on the command line with a key of the same account.
 */
export function shareImportKeys(idempotency: Idempotency): Idempotency {
  return {
    ...idempotency,
    create(request, creation, encode, beforeSending) {
      if (!request.key.startsWith(IMPORT_KEY))
        return idempotency.create(request, creation, encode, beforeSending);
      const shared = { ...request, path: request.path.replace(CONSOLE, API) };
      const located = (row: unknown) => withApiLocation(encode(row));
      return idempotency.create(shared, creation, located, beforeSending);
    },
  };
}

function withApiLocation(response: ResponseData): ResponseData {
  const location = response.headers["Location"]?.replace(CONSOLE, API);
  return location === undefined
    ? response
    : { ...response, headers: { ...response.headers, Location: location } };
}
