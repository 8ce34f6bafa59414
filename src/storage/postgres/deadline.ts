import { startDeadline } from "../../platform/deadline.ts";
import { DeadlineError } from "./errors.ts";

/**
 * Adds a deadline to a promise. If the promise has not settled by then, this calls `onLate` and rejects with `DeadlineError`. It
 * does not stop the work behind the promise.
 */
export async function withDeadline<Value>(
  promise: Promise<Value>,
  milliseconds: number,
  onLate: () => void = () => {},
): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const endDeadline = startDeadline(milliseconds, () => {
    late.reject(new DeadlineError(`No answer within ${milliseconds} ms.`));
    onLate();
  });
  // Handles a rejection after the deadline, when nobody waits for the promise any more. Otherwise, it would be reported as
  // unhandled.
  promise.catch(() => {});
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    endDeadline();
  }
}
