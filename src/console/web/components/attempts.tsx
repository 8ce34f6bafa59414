import type { Message } from "../../../messages/contract.ts";
import type { Delivery } from "../../../webhooks/delivery-contract.ts";
import { formatNumber } from "../format.ts";
import { call } from "../request.ts";
import { ActionButton } from "./action-button.tsx";
import { announce } from "./announce.tsx";
import { finishDialog, openDialog } from "./dialog.tsx";
import { LoadingDialog } from "./loading-dialog.tsx";
import { visibleText } from "./long-text.tsx";
import { Timestamp } from "./timestamp.tsx";

interface AttemptsProps {
  /** The API path of the message, or of the webhook's delivery. */
  readonly path: string;
  readonly name: string;
  readonly isResendable: boolean;
}

/**
 * A button in a row of a list. It opens a dialog that lists the attempts to deliver a message or an event. In this dialog, people
 * can send the message or event again.
 */
export function AttemptsButton(props: AttemptsProps) {
  return (
    <button
      type="button"
      class="secondary"
      aria-label={`Attempts to deliver ${props.name}`}
      onClick={() => openDialog(<Attempts {...props} />)}
    >
      Attempts
    </button>
  );
}

/** A delivery of an event, or a message with its full text (a list contains only the beginning of the text). */
type Attempted = Pick<Delivery, "status" | "attempts" | "nextAttemptAt"> & Partial<Pick<Message, "message">>;

/** Lists the delivery attempts, newest first. The time of the next attempt is shown above them. */
function Attempts({ path, isResendable }: AttemptsProps) {
  async function redeliver() {
    await call("POST", `${path}/redeliver`);
    announce("Queued to be sent again");
    finishDialog();
  }
  const again = isResendable && (
    <ActionButton class="secondary" failure="Nothing was queued." action={redeliver}>
      Send again
    </ActionButton>
  );
  return (
    <LoadingDialog
      title="Attempts to deliver"
      load={(signal) => call<Attempted>("GET", path, { signal })}
      what="the attempts"
      actions={again}
    >
      {({ status, attempts, nextAttemptAt, message }) => (
        <ul class="plain">
          {message !== undefined && (
            <li class="breakable" dir="auto">
              {visibleText(message)}
            </li>
          )}
          {nextAttemptAt !== undefined && (
            <li>
              Next: <Timestamp at={nextAttemptAt} />
            </li>
          )}
          {attempts.map((attempt, index) => (
            <li key={index} class="breakable">
              {attemptText(attempt)} · <Timestamp at={attempt.createdAt} precision="ago" />
            </li>
          ))}
          {status === "delivered" && attempts.length === 0 && (
            <li>No attempts: messages are only stored here, unless PETSTORE_MESSAGES_WEBHOOK is set.</li>
          )}
        </ul>
      )}
    </LoadingDialog>
  );
}

/** Describes an attempt, such as `204 in 84 ms`. */
export function attemptText({ status, error, durationMs }: Delivery["attempts"][number]): string {
  return `${status ?? error?.replace(/\.$/, "")} in ${formatNumber(durationMs)} ms`;
}
