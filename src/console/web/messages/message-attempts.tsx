import type { DeliveryAttempt } from "../../../attempts/contract.ts";
import type { Message } from "../../../messages/contract.ts";
import { Attempts } from "../components/attempts.tsx";
import { LoadingDialog } from "../components/loading-dialog.tsx";
import { call } from "../request.ts";

interface MessageAttemptsProps {
  readonly message: Message;
  readonly onClose: () => void;
}

/** Why a message is not delivered yet, or has failed. */
export function MessageAttempts({ message: { id }, onClose }: MessageAttemptsProps) {
  return (
    <LoadingDialog
      title="Attempts to deliver"
      load={(signal) => call<readonly DeliveryAttempt[]>("GET", `/messages/${id}/attempts`, { signal })}
      what="the attempts"
      onClose={onClose}
    >
      {(attempts) =>
        attempts.length === 0 ? (
          <p>There were none: without PETSTORE_MESSAGES_WEBHOOK, messages stay in this list.</p>
        ) : (
          <Attempts attempts={attempts} />
        )
      }
    </LoadingDialog>
  );
}
