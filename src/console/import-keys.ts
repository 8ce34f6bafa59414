import type { Idempotency } from "../http/idempotency/idempotency.ts";
import type { IdempotentRequest } from "../http/idempotency/record-store.ts";
import type { ResponseData } from "../http/response.ts";
import { IMPORT_KEY } from "../pet-files/idempotency-keys.ts";
import { andThen, type Maybe } from "../platform/maybe.ts";

const CONSOLE = "/console/api/";
const API = "/v1/";

/**
 * Records import lines under the API's path instead of the console's, so that the command line, with a key of the account,
 * continues an import that the console began. Other requests keep their path.
 */
export function shareImportKeys(idempotency: Idempotency): Idempotency {
  const isImport = ({ key }: IdempotentRequest) => key.startsWith(IMPORT_KEY);
  const located =
    <Q>(work: (query: Q) => Maybe<ResponseData>) =>
    (query: Q) =>
      andThen(work(query), withApiLocation);
  return {
    ...idempotency,
    run: (request, work) =>
      isImport(request) ? idempotency.run(shared(request), located(work)) : idempotency.run(request, work),
    insertIdempotent: (request, work, ...rest) =>
      isImport(request)
        ? idempotency.insertIdempotent(shared(request), located(work), ...rest)
        : idempotency.insertIdempotent(request, work, ...rest),
  };
}

function shared(request: IdempotentRequest): IdempotentRequest {
  return { ...request, path: request.path.replace(CONSOLE, API) };
}

function withApiLocation(response: ResponseData): ResponseData {
  const location = response.headers["Location"]?.replace(CONSOLE, API);
  return location === undefined
    ? response
    : { ...response, headers: { ...response.headers, Location: location } };
}
