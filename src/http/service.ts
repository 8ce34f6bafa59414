import { unavailable } from "../errors.ts";
import type { KeyActivity } from "../keys/key-activity.ts";
import { andThen, orElse } from "../platform/maybe.ts";
import type { RandomBytes } from "../platform/random.ts";
import { countArrival } from "../platform/turns.ts";
import { type AccessLogOptions, createAccessLog } from "./access-log.ts";
import { encodeError, toServiceError } from "./error-response.ts";
import { endParsing } from "./open-connection.ts";
import {
  type Connection,
  createAddresses,
  createRequestContext,
  createRequestIds,
  type RequestContextDeps,
} from "./request-context.ts";
import { createResponse, type FileResponseData, jsonResponse } from "./response.ts";
import { createRouter, type RouterOptions } from "./router.ts";
import { lostResponse } from "./simulation/petstore-simulate.ts";
import type { StaticPage } from "./static/page.ts";
import type { UnsentLimit } from "./unsent-limit.ts";

interface ServiceOptions extends RouterOptions, RequestContextDeps, Omit<AccessLogOptions, "basePath"> {
  readonly randomBytes: RandomBytes;
  /** Budget for unsent responses, shared by all services of the process. */
  readonly unsent: UnsentLimit;
  /** Readiness checks; each rejects with `unavailable` while the service cannot work. */
  readonly checks: readonly (() => Promise<void>)[];
  readonly keyActivity: Pick<KeyActivity, "addRefusal"> & AccessLogOptions["keyActivity"];
}

export function createService(options: ServiceOptions) {
  const { name, log, unsent, publicUrl, routeGroups, keyActivity } = options;
  const [own] = routeGroups;
  let isDraining = false;
  /** Readiness: 200 if all checks pass and the service is not draining, else 503 `unavailable`. */
  const readyPage: StaticPage = {
    path: "/readyz",
    async respond() {
      if (isDraining) throw unavailable("The service is about to stop.");
      for (const check of options.checks) await check();
      return jsonResponse({ status: "ready" });
    },
  };
  const pages = [healthPage, readyPage, ...options.pages];
  const findTarget = createRouter({ publicUrl, routeGroups, pages });
  const findAddresses = createAddresses(publicUrl, own.path);
  const nextRequestId = createRequestIds(options.randomBytes);
  const observe = createAccessLog({ ...options, basePath: own.path });

  return {
    name,
    fetch(request: Request, connection: Connection = NO_CONNECTION) {
      endParsing();
      countArrival();
      const startedAt = performance.now();
      const context = createRequestContext(request, options, nextRequestId, connection);
      if (isDraining) context.headers["Connection"] = "close";
      const target = findTarget(context);
      const respond = (data: FileResponseData) => {
        const response =
          context.simulated === "lost"
            ? lostResponse(context)
            : createResponse(data, context, target.keptLines);
        observe(context, data.status, performance.now() - startedAt);
        return response;
      };
      const handle = () => {
        context.addresses = findAddresses(request);
        // The target is a page, or `handleRequest` of pipeline.ts.
        return andThen(target.handle(context), (data) => {
          unsent.add(data, context);
          return respond(data);
        });
      };
      const refuse = (error: unknown) => {
        if (context.addresses.origin === "") target.announce?.(context);
        const refusal = toServiceError(error);
        const { code, status, cause } = refusal;
        context.errorCode = code;
        const { actor, now: at, requestId, path, simulated } = context;
        // A `ServiceError` without a cause is deliberate (such as the 503 of a draining service), not a fault.
        if (status >= 500 && (error !== refusal || cause !== undefined))
          log.error({ requestId, service: name, err: error }, "fault");
        // Refusals that a key's owner can do something about.
        if (actor?.kind === "key" && status < 500 && simulated !== "error")
          keyActivity.addRefusal(actor.keyId, { at, requestId, method: request.method, path, status, code });
        return respond(encodeError(refusal, request, context.addresses.origin));
      };
      return orElse(handle, refuse);
    },
    /** Makes `/readyz` answer 503 and every response close its connection; requests are still handled. */
    drain() {
      isDraining = true;
    },
  };
}

export type Service = ReturnType<typeof createService>;

/** Connection of a request that came through no port, as in a test. */
const NO_CONNECTION: Connection = { peer: () => undefined, cutOff() {} };

const healthPage: StaticPage = {
  path: "/healthz",
  respond: async () => jsonResponse({ status: "ok" }),
};
