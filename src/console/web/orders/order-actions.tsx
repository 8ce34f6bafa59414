import type { Order } from "../../../orders/contract.ts";
import type { Pet } from "../../../pets/contract.ts";
import { mayChange } from "../account/session.ts";
import { announce } from "../components/announce.tsx";
import { ConfirmButton } from "../components/confirm-button.tsx";
import { useKeepFocus } from "../components/keep-focus.ts";
import { Loading } from "../components/loading.tsx";
import { call, callPage } from "../request.ts";
import { useLoad } from "../use-load.ts";

interface OpenOrderProps {
  readonly pet: Pet;
  readonly onChanged: () => void | Promise<void>;
}

export function OpenOrder({ pet, onChanged }: OpenOrderProps) {
  const place = useKeepFocus<HTMLDivElement>();
  const query = { petId: String(pet.id), complete: "false" };
  const orders = useLoad((signal) => callPage<Order>("/store/orders", { query, signal }), [query.petId]);
  return (
    <div {...place}>
      <Loading loaded={orders} what="the order">
        {({ items }) =>
          items.length === 0 ? (
            "No open order."
          ) : (
            <div class="row-actions">
              {items.map((order) => (
                <OrderActions key={String(order.id)} order={order} isNamed onChanged={onChanged} />
              ))}
            </div>
          )
        }
      </Loading>
    </div>
  );
}

interface OrderActionsProps {
  readonly order: Order;
  readonly isNamed?: boolean;
  readonly onChanged: () => void | Promise<void>;
}

export function OrderActions({ order: { id, complete }, isNamed = false, onChanged }: OrderActionsProps) {
  if (!mayChange.value) return null;
  const action = (verb: string, done: string, method: "POST" | "DELETE", path: string, outcome: string) => {
    const label = `${verb} order ${id}`;
    return (
      <ConfirmButton
        label={label}
        failure={`Order ${id} was not ${done}.`}
        isOffered={!complete}
        action={async () => {
          await call(method, path);
          announce(`Order ${id} is ${done}. ${outcome}`);
          await onChanged();
        }}
      >
        {isNamed ? label : verb}
      </ConfirmButton>
    );
  };
  const path = `/store/orders/${id}`;
  return (
    <>
      {action("Complete", "completed", "POST", `${path}/complete`, "Its animal is sold.")}
      {action("Cancel", "cancelled", "DELETE", path, "Its animal is available.")}
    </>
  );
}
