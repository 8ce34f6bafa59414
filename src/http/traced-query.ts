import { andFinally } from "../platform/maybe.ts";
import type { Query } from "../storage/database.ts";
import type { VerbTrace } from "../telemetry/tracing/tracer.ts";

/** The same query; each statement has a span, with its text and never its values. */
export function tracedQuery(query: Query, trace: VerbTrace): Query {
  return (statement, values) => {
    const end = trace.beginStatement(statement.sql);
    return andFinally(() => query(statement, values), end);
  };
}
