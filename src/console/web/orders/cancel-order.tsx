import type { Order } from "../../../orders/contract.ts";
import { announce } from "../components/announce.tsx";
import { ConfirmDialog } from "../components/confirm-dialog.tsx";
import { call } from "../request.ts";

interface CancelOrderProps {
  readonly order: Order;
  readonly pet: string;
  readonly onCancelled: () => Promise<void>;
  readonly onClose: () => void;
}

export function CancelOrder({ order, pet, onCancelled, onClose }: CancelOrderProps) {
  async function cancel(): Promise<void> {
    await call("DELETE", `/store/orders/${order.id}`);
    announce(`Order ${order.id} cancelled`);
    await onCancelled();
  }
  return (
    <ConfirmDialog
      title={`Cancel order ${order.id}?`}
      confirmLabel="Cancel order"
      cancelLabel="Keep order"
      onConfirm={cancel}
      onClose={onClose}
    >
      <p dir="auto">{pet} becomes available again, and the order is deleted.</p>
    </ConfirmDialog>
  );
}
