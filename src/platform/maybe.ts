export type Maybe<Value> = Value | Promise<Value>;

/**
 * Works like `then`, but also accepts a value that is not a promise. For such a value, it calls `go` immediately, so that no
 * promise is needed.
 */
export function andThen<Value, Result>(
  value: Maybe<Value>,
  go: (value: Value) => Maybe<Result>,
): Maybe<Result> {
  return value instanceof Promise ? value.then(go) : go(value);
}

/** Works like `andThen`, but passes a second argument to the callback, so that no closure is needed for it. */
export function andThenFor<Value, Subject, Result>(
  value: Maybe<Value>,
  subject: Subject,
  go: (value: Value, subject: Subject) => Maybe<Result>,
): Maybe<Result> {
  return value instanceof Promise ? value.then((found) => go(found, subject)) : go(value, subject);
}

/** Works like `try … catch`, for work that may be asynchronous. */
export function orElse<Value>(
  work: () => Maybe<Value>,
  handle: (error: unknown) => Maybe<Value>,
): Maybe<Value> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(handle) : value;
  } catch (error) {
    return handle(error);
  }
}

/** Works like `try … finally`, for work that may be asynchronous. `end` must not throw. */
export function andFinally<Value>(work: () => Maybe<Value>, end: () => void): Maybe<Value> {
  let value: Maybe<Value>;
  try {
    value = work();
  } catch (error) {
    end();
    throw error;
  }
  if (value instanceof Promise) return value.finally(end);
  end();
  return value;
}
