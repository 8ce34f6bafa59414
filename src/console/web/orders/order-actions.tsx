import type { Order } from "../../../orders/contract.ts";
import { mayChange } from "../account/session.ts";
import { DeleteDialog } from "../components/delete-dialog.tsx";
import { useDialog } from "../components/dialog.tsx";
import { type SoldPet, sales } from "../pets/sales.ts";
import { SellButton } from "../pets/sell-button.tsx";
import { call } from "../request.ts";

interface OrderActionsProps {
  readonly order: Order;
  readonly pet: SoldPet;
  readonly onChanged: () => void | Promise<void>;
}

/** Completes an open order at one press, with Undo, or cancels it after a question, because that cannot be undone. */
export function OrderActions({ order, pet, onChanged }: OrderActionsProps) {
  const cancelling = useDialog<true>();
  const { id, complete } = order;
  if (!mayChange.value) return null;
  return (
    <>
      {!complete && (
        <>
          <SellButton pet={{ ...pet, status: "pending" }} order={order} />
          {!sales.value.has(pet.id) && (
            <button
              type="button"
              class="link"
              aria-label={`Cancel order ${id}`}
              onClick={() => cancelling.open(true)}
            >
              Cancel
            </button>
          )}
        </>
      )}
      {cancelling.subject && (
        <DeleteDialog
          title={`Cancel order ${id}?`}
          send={() => call("DELETE", `/store/orders/${id}`)}
          outcome={`Order ${id} is cancelled`}
          confirmLabel="Cancel the order"
          cancelLabel="Keep it"
          onDeleted={onChanged}
          onClose={cancelling.close}
        >
          <p>A cancelled order cannot be restored. Its animal becomes available.</p>
        </DeleteDialog>
      )}
    </>
  );
}
