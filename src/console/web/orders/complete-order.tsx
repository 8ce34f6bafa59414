import { useSignal } from "@preact/signals";
import type { Order } from "../../../orders/contract.ts";
import { announce } from "../components/announce.tsx";
import { call } from "../request.ts";
import { toRequestError } from "../request-error.ts";

interface CompleteOrderProps {
  readonly order: Order;
  readonly onCompleted: () => Promise<void>;
}

export function CompleteOrder({ order, onCompleted }: CompleteOrderProps) {
  const isBusy = useSignal(false);
  async function complete(): Promise<void> {
    isBusy.value = true;
    try {
      await call("POST", `/store/orders/${order.id}/complete`);
      announce(`Order ${order.id} is complete. Its animal is sold.`);
      // The reload removes this button: without the focus on the heading it would fall to the body.
      document.querySelector("h1")?.focus();
      await onCompleted();
    } catch (error) {
      announce(`Order ${order.id} was not completed. ${toRequestError(error).message}`);
    }
    isBusy.value = false;
  }
  return (
    <button
      type="button"
      class="link"
      aria-label={`Complete order ${order.id}`}
      disabled={isBusy.value}
      onClick={() => void complete()}
    >
      Complete
    </button>
  );
}
