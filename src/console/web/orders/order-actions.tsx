import type { Order } from "../../../orders/contract.ts";
import { DialogMenu } from "../components/dialog-menu.tsx";
import { lazyDialog } from "../components/lazy-dialog.tsx";
import { looksSold, saleName } from "../pets/sales.ts";
import { SellButton } from "../pets/sell-button.tsx";
import { callDelete } from "../request.ts";

const DeleteDialog = lazyDialog(async () => (await import("../components/delete-dialog.tsx")).DeleteDialog);

export type ListedOrder = Order & {
  readonly petName: string;
  /** The author of the order, in words; empty if the author is no longer known. */
  readonly by: string;
};

/**
 * The actions for an open order. The order is completed with a single press, which can be undone. Cancelling the order cannot be
 * undone, so it needs a confirmation.
 */
export function OrderActions({ order }: { readonly order: ListedOrder }) {
  const pet = { id: order.petId, name: order.petName, status: "pending" } as const;
  if (order.complete) return null;
  return (
    <SellButton pet={pet} order={order}>
      {!looksSold(pet) && (
        <DialogMenu
          of={`the order of ${saleName(pet)}`}
          dialogs={{ "Cancel order…": <CancelOrder {...order} /> }}
        />
      )}
    </SellButton>
  );
}

function CancelOrder({ id }: Order) {
  return (
    <DeleteDialog
      title={`Cancel order ${id}?`}
      send={() => callDelete(`/store/orders/${id}`)}
      outcome={`Order ${id} cancelled`}
      confirmLabel="Cancel order"
      cancelLabel="Keep order"
    >
      <p>The animal will be available again. This can't be undone.</p>
    </DeleteDialog>
  );
}
