import type { ComponentChildren } from "preact";
import type { PetstoreError } from "../../../../client/src/errors.ts";

export type Explain = ((error: PetstoreError) => ComponentChildren) | undefined;

interface ErrorAlertProps {
  readonly error: PetstoreError;
  readonly explain?: Explain;
  readonly children?: ComponentChildren;
}

export function ErrorAlert({ error, explain, children }: ErrorAlertProps) {
  const { message, retryAfterSeconds } = error;
  return (
    <div class="alert" role="alert">
      {explain?.(error) ?? (
        <p key={message} dir="auto">
          {message}
        </p>
      )}
      {retryAfterSeconds !== undefined && !message.includes("again in") && (
        <p translate={false}>You can try again in {secondsInWords(retryAfterSeconds)}.</p>
      )}
      {children}
    </div>
  );
}

function secondsInWords(seconds: number): string {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? "1 second" : `${seconds} seconds`;
}
