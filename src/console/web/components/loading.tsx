import type { ComponentChildren } from "preact";
import { withQuery } from "../router.ts";
import type { Loaded } from "../use-load.ts";
import { ErrorAlert } from "./error-alert.tsx";

interface LoadingProps<Value> {
  readonly loaded: Loaded<Value>;
  readonly what: string;
  readonly children?: (value: Value) => ComponentChildren;
}

export function Loading<Value>({ loaded, what, children }: LoadingProps<Value>) {
  const { value, error, isLoading, reload } = loaded;
  if (value === undefined && error === undefined) return <p class="loading">Loading {what}…</p>;
  return (
    <div class={isLoading ? "is-stale" : undefined} aria-busy={isLoading}>
      {error && (
        <ErrorAlert error={error}>
          {error.code === "invalid_cursor" ? (
            <p>
              <a href={withQuery({ cursor: "" })}>Start from the newest</a>
            </p>
          ) : (
            <button type="button" class="secondary" disabled={isLoading} onClick={() => void reload()}>
              Try again
            </button>
          )}
        </ErrorAlert>
      )}
      {value !== undefined && children?.(value)}
    </div>
  );
}
