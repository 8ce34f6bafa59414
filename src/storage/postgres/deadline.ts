import { DeadlineError } from "./errors.ts";

/** The promise, or after `onLate` a `DeadlineError` instead; what it waits for goes on. */
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
  // After the deadline its rejection would be unhandled.
  promise.catch(() => {});
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
