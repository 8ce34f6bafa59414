import { useSignal } from "@preact/signals";
import type { Order } from "../../../orders/contract.ts";
import { announce } from "../components/announce.tsx";
import { asFailure } from "../failure.ts";
import { call } from "../request.ts";

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
      announce(`Order ${order.id} is complete, and its animal sold`);
      // The button goes with the row's old state; the heading is the nearest place that stays.
      document.querySelector("h1")?.focus();
      await onCompleted();
    } catch (error) {
      announce(`Order ${order.id} was not completed. ${asFailure(error).message}`);
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
