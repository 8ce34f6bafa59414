import { DeadlineError } from "./errors.ts";

/**
 * Adds a deadline to a promise. If the deadline is missed, it calls `onLate` and rejects with `DeadlineError`. The work itself
 * continues.
 */
export async function withDeadline<Value>(
  promise: Promise<Value>,
  milliseconds: number,
  onLate: () => void = () => {},
): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new DeadlineError(`No answer within ${milliseconds} ms.`));
    onLate();
  }, milliseconds);
  // After the deadline, nobody waits for the promise any more. If it rejects later, the rejection must not be reported as
  // unhandled.
  promise.catch(() => {});
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
