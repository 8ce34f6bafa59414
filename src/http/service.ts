import { unavailable } from "../errors.ts";
import type { KeyActivity } from "../keys/key-activity.ts";
import type { RandomBytes } from "../platform/random.ts";
import { countArrival } from "../platform/turns.ts";
import { type AccessLogOptions, createAccessLog } from "./access-log.ts";
import type { Call, Connection } from "./call.ts";
import { type CallDeps, createAddresses, createCall, createRequestIds } from "./create-call.ts";
import { encodeError, toServiceError } from "./error-response.ts";
import { endParsing } from "./open-connection.ts";
import { createResponse, type FileResponseData, jsonResponse } from "./response.ts";
import { createRouter, type RouterOptions, type Target } from "./router.ts";
import { lostResponse } from "./simulation/petstore-simulate.ts";
import type { StaticPage } from "./static/page.ts";
import type { UnsentLimit } from "./unsent-limit.ts";

interface ServiceOptions extends RouterOptions, CallDeps, Omit<AccessLogOptions, "basePath"> {
  readonly randomBytes: RandomBytes;
  /** Limits the total size of responses that have not been sent yet. All services of the process share it. */
  readonly unsent: UnsentLimit;
  /** Readiness checks; each rejects with `unavailable` while the service cannot work. */
  readonly checks: readonly (() => Promise<void>)[];
  readonly keyActivity: Pick<KeyActivity, "addRefusal"> & AccessLogOptions["keyActivity"];
}

/** A request that is being handled, and the page or route that handles it. */
interface Exchange {
  readonly call: Call;
  /** The page or route that handles the request. A route calls `handleRequest` of pipeline.ts. */
  readonly target: Target;
  readonly startedAt: number;
}

export function createService(options: ServiceOptions) {
  const { name, log, unsent, publicUrl, routeGroups, keyActivity } = options;
  const [own] = routeGroups;
  let isDraining = false;
  const readyPage = createReadyPage(options.checks, () => isDraining);
  const pages = [healthPage, readyPage, ...options.pages];
  const findTarget = createRouter({ publicUrl, routeGroups, pages });
  const findAddresses = createAddresses(publicUrl, own.path);
  const nextRequestId = createRequestIds(options.randomBytes);
  const observe = createAccessLog({ ...options, basePath: own.path });

  function send(data: FileResponseData, exchange: Exchange) {
    try {
      unsent.add(data, exchange.call);
      return respond(data, exchange);
    } catch (error) {
      return refuse(error, exchange);
    }
  }

  function respond(data: FileResponseData, { call, target, startedAt }: Exchange) {
    const isLost = call.simulated === "lost";
    const response = isLost ? lostResponse(call) : createResponse(data, call, target.keptLines);
    observe(call, data.status, performance.now() - startedAt);
    return response;
  }

  function refuse(error: unknown, exchange: Exchange) {
    const { call, target } = exchange;
    if (call.addresses.origin === "") target.announce?.(call);
    const refusal = toServiceError(error);
    const { code, status, cause } = refusal;
    call.errorCode = code;
    const { request, actor, now: at, requestId, path, simulated } = call;
    // A `ServiceError` without a cause is thrown on purpose, for example while the service is stopping. Such an error is not
    // logged.
    if (status >= 500 && (error !== refusal || cause !== undefined))
      log.error({ requestId, service: name, err: error }, "fault");
    // Records the refusal, because the console shows it to the key's owner. Server errors and simulated errors are left out,
    // because they are not the owner's mistakes.
    if (actor?.kind === "key" && status < 500 && simulated !== "error")
      keyActivity.addRefusal(actor.keyId, { at, requestId, method: request.method, path, status, code });
    return respond(encodeError(refusal, call), exchange);
  }

  return {
    name,
    fetch(request: Request, connection: Connection = NO_CONNECTION) {
      endParsing();
      countArrival();
      const startedAt = performance.now();
      const call = createCall(request, options, nextRequestId, connection, own.pipeline);
      if (isDraining) call.headers["Connection"] = "close";
      const exchange = { call, target: findTarget(call), startedAt };
      try {
        call.addresses = findAddresses(request);
        const responding = exchange.target.handle(call);
        if (!(responding instanceof Promise)) return send(responding, exchange);
        return responding.then(
          (data) => send(data, exchange),
          (error: unknown) => refuse(error, exchange),
        );
      } catch (error) {
        return refuse(error, exchange);
      }
    },
    /** Makes `/readyz` respond with 503, and makes every response close its connection. Requests are still handled. */
    drain() {
      isDraining = true;
    },
  };
}

export type Service = ReturnType<typeof createService>;

/** Stands for the connection of a request that did not arrive over the network, for example in a test. */
const NO_CONNECTION: Connection = { peer: () => undefined, cutOff() {} };

/**
 * Creates the readiness page. It responds with 200 if all checks pass and the service is not draining, otherwise with 503
 * `unavailable`.
 */
function createReadyPage(checks: ServiceOptions["checks"], isDraining: () => boolean): StaticPage {
  return {
    path: "/readyz",
    async respond() {
      if (isDraining()) throw unavailable("The service is stopping.");
      for (const check of checks) await check();
      return jsonResponse({ status: "ready" });
    },
  };
}

const healthPage: StaticPage = {
  path: "/healthz",
  respond: async () => jsonResponse({ status: "ok" }),
};
