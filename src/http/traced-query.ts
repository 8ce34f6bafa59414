import type { Query } from "../storage/database.ts";
import type { VerbTrace } from "../telemetry/tracing/tracer.ts";

/** The same query; each statement has a span, with its text and never its values. */
export function tracedQuery(query: Query, trace: VerbTrace): Query {
  return async (statement, values) => {
    const end = trace.beginStatement(statement.sql);
    let isFault = true;
    try {
      const rows = await query(statement, values);
      isFault = false;
      return rows;
    } finally {
      end(isFault);
    }
  };
}
