import type { CallToolResult } from "@modelcontextprotocol/server";
import { withQuery } from "../../../client/src/address.ts";
import { PetstoreConnectionError, PetstoreError } from "../../../client/src/errors.ts";
import { findLink } from "../../../client/src/link.ts";
import { ONE_ITEM } from "../../../client/src/list.ts";
import { requestOperation } from "../../../client/src/request.ts";
import type { Settings } from "../../../client/src/settings.ts";
import { writeJson } from "../../contract/json/json.ts";
import type { Operation } from "../../contract/operation.ts";
import { errorMessage } from "../../errors.ts";
import { ArgumentError, decimalsIn, integersIn } from "./decimal-integers.ts";
import type { Tool } from "./tools.ts";

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Calls a tool's operation, with retries; a change is made once, also when it is retried. What is refused or failed is a result too: an
 * agent can read it and go on.
 */
export async function callTool(
  tool: Tool,
  given: Arguments,
  { settings, signal }: { readonly settings: Settings; readonly signal: AbortSignal },
): Promise<CallToolResult> {
  let requestId: string | undefined;
  try {
    const { ifMatch, ...request } = requestOf(tool, given);
    const { value, link, etag } = await requestOperation(settings, request, {
      ifMatch,
      signal,
      onAnswer: (answer) => {
        requestId = answer.requestId;
      },
    });
    const data = decimalsIn(value, tool.returns === undefined ? [] : [tool.returns]);
    const { status, paged } = tool.operation.success;
    // A page's own tag is none of what ifMatch takes.
    const tag = paged && !ONE_ITEM.test(request.address) ? undefined : (etag ?? undefined);
    return resultOf({ status, data, next: cursorIn(link), etag: tag, requestId });
  } catch (error) {
    return { ...resultOf(failureOf(error)), isError: true };
  }
}

function resultOf(content: Arguments): CallToolResult {
  const text = writeJson(content);
  return { content: [{ type: "text", text }], structuredContent: JSON.parse(text) };
}

function failureOf(error: unknown): Arguments {
  const message = errorMessage(error);
  if (error instanceof PetstoreError) {
    const { status, code, requestId, retryAfterSeconds } = error;
    return {
      status,
      code,
      message,
      requestId,
      retryAfterSeconds,
      outcomeUnknown: error.outcomeUnknown || undefined,
    };
  }
  if (error instanceof PetstoreConnectionError)
    return { message, outcomeUnknown: error.outcomeUnknown || undefined };
  return { ...(error instanceof ArgumentError && { code: "invalid_parameter" }), message };
}

/** @throws ArgumentError for what no request can say; anything else is the service's to refuse */
function requestOf({ operation, baseUrl, accepts }: Tool, given: Arguments) {
  const known = Object.keys(accepts.properties ?? {});
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new ArgumentError(
      `${JSON.stringify(unknown)} is not an argument of ${operation.id}, which takes ${known.join(", ") || "none"}.`,
    );
  const values = new Map<string, unknown>(Object.entries(integersIn(given, [accepts]) ?? {}));
  const take = (names: readonly string[]) =>
    names.flatMap((name): [string, unknown][] => {
      const value = values.get(name);
      values.delete(name);
      return value === undefined ? [] : [[name, value]];
    });
  const path = pathOf(operation, new Map(take(Object.keys(operation.pathParameters ?? {}))));
  const query = take(Object.keys(operation.query ?? {})).map(([name, value]) => [name, textOf(value)]);
  const ifMatch = values.get("ifMatch");
  values.delete("ifMatch");
  const { paged, schema } = operation.success;
  return {
    method: operation.method,
    address: withQuery(`${baseUrl}${path}`, Object.fromEntries(query)),
    body: operation.body && Object.fromEntries(values),
    expects: paged ? "list" : schema === undefined ? "nothing" : "object",
    ifMatch: ifMatch === undefined ? undefined : textOf(ifMatch),
  } as const;
}

/** A list as the service reads it: `1,2`. */
function textOf(value: unknown): string {
  return String(value);
}

/** @throws ArgumentError for an identifier that would make another path */
function pathOf({ path, pathParameters = {} }: Operation, values: ReadonlyMap<string, unknown>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = pathParameters[name];
    const text = textOf(values.get(name) ?? "");
    if (parameter?.parse(text) === undefined)
      throw new ArgumentError(`${name} must be ${parameter?.expected}.`);
    return encodeURIComponent(text);
  });
}

function cursorIn(link: string | null): string | undefined {
  const target = link === null ? undefined : findLink(link, "next");
  if (target === undefined) return undefined;
  return new URL(target, "http://localhost").searchParams.get("cursor") ?? undefined;
}
