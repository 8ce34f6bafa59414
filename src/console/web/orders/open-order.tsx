import type { Order } from "../../../orders/contract.ts";
import type { Pet } from "../../../pets/contract.ts";
import { useKeepFocus } from "../components/keep-focus.ts";
import { Loading } from "../components/loading.tsx";
import { callPage } from "../request.ts";
import { useLoad } from "../use-load.ts";
import { OrderActions } from "./order-actions.tsx";

interface OpenOrderProps {
  readonly pet: Pet;
  readonly onChanged: () => void | Promise<void>;
}

/** Completes or cancels the open order of a pending animal. */
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
