import type { DeliveryAttempt } from "../../../attempts/contract.ts";
import type { Message } from "../../../messages/contract.ts";
import { Attempts } from "../components/attempts.tsx";
import { LoadingDialog } from "../components/loading-dialog.tsx";

interface MessageAttemptsProps {
  readonly message: Message;
  readonly onClose: () => void;
}

/** Why a message is not delivered yet, or has failed. */
export function MessageAttempts({ message: { id }, onClose }: MessageAttemptsProps) {
  return (
    <LoadingDialog<DeliveryAttempt>
      title="Attempts to deliver"
      path={`/messages/${id}/attempts`}
      what="the attempts"
      empty="There were none: without PETSTORE_MESSAGES_WEBHOOK, messages stay in this list."
      onClose={onClose}
    >
      {(attempts) => <Attempts attempts={attempts} />}
    </LoadingDialog>
  );
}
