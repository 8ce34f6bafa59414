import type { DeliveryAttempt } from "../../../attempts/contract.ts";
import type { Message } from "../../../messages/contract.ts";
import { Attempts } from "../components/attempts.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Loading } from "../components/loading.tsx";
import { call } from "../request.ts";
import { useLoad } from "../use-load.ts";

interface MessageAttemptsProps {
  readonly message: Message;
  readonly onClose: () => void;
}

/** Why a message is not delivered yet, or has failed. */
export function MessageAttempts({ message: { id }, onClose }: MessageAttemptsProps) {
  const attempts = useLoad((signal) =>
    call<readonly DeliveryAttempt[]>("GET", `/messages/${id}/attempts`, { signal }),
  );
  return (
    <Dialog title="Attempts to deliver" onClose={onClose}>
      <Loading loaded={attempts} what="the attempts">
        {(rows) =>
          rows.length === 0 ? (
            <p>There were none: without PETSTORE_MESSAGES_WEBHOOK, messages stay in this list.</p>
          ) : (
            <Attempts attempts={rows} />
          )
        }
      </Loading>
      <div class="actions">
        <button type="button" class="secondary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
