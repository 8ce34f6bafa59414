import type { ComponentChildren } from "preact";
import { withQuery } from "../router.ts";
import type { Loaded } from "../use-load.ts";
import { FailureAlert } from "./failure-alert.tsx";

interface LoadingProps<Value> {
  readonly loaded: Loaded<Value>;
  /** What is being read, as in "Reading the animals…". */
  readonly what: string;
  readonly children: (value: Value) => ComponentChildren;
}

/** Shows what was read; until then that it is being read, or why it could not be. */
export function Loading<Value>({ loaded, what, children }: LoadingProps<Value>) {
  const { value, failure, isLoading, reload } = loaded;
  if (value === undefined && failure === undefined) return <p class="loading">Reading {what}…</p>;
  return (
    <div class={isLoading ? "is-stale" : undefined} aria-busy={isLoading}>
      {failure && (
        <FailureAlert failure={failure}>
          {failure.code === "invalid_cursor" ? (
            <p>
              <a href={withQuery({ cursor: "" })}>Start from the newest</a>
            </p>
          ) : (
            <button type="button" class="secondary" disabled={isLoading} onClick={() => void reload()}>
              Try again
            </button>
          )}
        </FailureAlert>
      )}
      {value !== undefined && children(value)}
    </div>
  );
}
