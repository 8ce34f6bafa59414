import type { Order } from "../../../orders/contract.ts";
import { announce } from "../components/announce.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { call } from "../request.ts";

interface CancelOrderProps {
  readonly order: Order;
  readonly animal: string;
  readonly onCancelled: () => Promise<void>;
  readonly onClose: () => void;
}

export function CancelOrder({ order, animal, onCancelled, onClose }: CancelOrderProps) {
  async function cancel(): Promise<void> {
    await call("DELETE", `/store/orders/${order.id}`);
    announce(`Order ${order.id} cancelled`);
    await onCancelled();
  }
  return (
    <ConfirmDialog
      title={`Cancel order ${order.id}?`}
      action="Cancel order"
      retreat="Keep order"
      onConfirm={cancel}
      onClose={onClose}
    >
      <p dir="auto">{animal} becomes available again, and the order is not kept.</p>
    </ConfirmDialog>
  );
}
