import type { ComponentChildren } from "preact";
import type { RequestFailure } from "../failure.ts";

interface FailureAlertProps {
  readonly failure: RequestFailure;
  /** Said after what happened: what became of what was typed. */
  readonly reassurance?: string;
  readonly children?: ComponentChildren;
}

export function FailureAlert({ failure, reassurance, children }: FailureAlertProps) {
  const { message, retryAfterSeconds } = failure;
  return (
    <div class="alert" role="alert">
      <p dir="auto">
        {message} {reassurance}
      </p>
      {retryAfterSeconds !== undefined && !message.includes("again in") && (
        <p>You can try again in {secondsInWords(retryAfterSeconds)}.</p>
      )}
      {children}
    </div>
  );
}

function secondsInWords(seconds: number): string {
  if (seconds > 90) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? "1 second" : `${seconds} seconds`;
}
