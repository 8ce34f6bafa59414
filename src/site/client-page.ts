import type { RequestContext } from "../http/request-context.ts";
import type { FileResponseData } from "../http/response.ts";
import { createRevalidatedServer, type ServeRevalidated } from "../http/static/assets.ts";
import { type Bundle, loadBundles } from "../http/static/bundles.ts";

export const CLIENT_BUNDLES = {
  module: {
    name: "client.js",
    type: "text/javascript; charset=utf-8",
    source: () => new URL("../../client/src/client.ts", import.meta.url),
    isBundled: true,
  },
} satisfies Record<string, Bundle>;

const loadClient = loadBundles(CLIENT_BUNDLES);
let serve: ServeRevalidated | undefined;

/**
 * The typed client as one module, for pages of any origin:
 * `import { createClient } from "http://localhost:8080/docs/client.js"`.
 */
export async function respondWithClient(
  _addresses: unknown,
  { request }: RequestContext,
): Promise<FileResponseData> {
  const { module } = await loadClient();
  serve ??= createRevalidatedServer(module);
  return serve(request);
}
