import { writeJson } from "../contract/json/json.ts";
import type { Page } from "../contract/operation.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { entityTagOf } from "../http/response.ts";

/**
 * The same list, with each row's own strong ETag as the member `etag`: what the console sends as `If-Match`, since a row is
 * all that it reads of a resource.
 */
export function withRowTags(endpoint: Endpoint): Endpoint {
  if (!endpoint.operation.success.paged) return endpoint;
  return {
    ...endpoint,
    toResponse(result) {
      const page = result as Page<object>;
      const items = page.items.map((row) => ({ ...row, etag: entityTagOf(writeJson(row)) }));
      return { body: { ...page, items }, headers: {} };
    },
  };
}
