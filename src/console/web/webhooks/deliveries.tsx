import type { Delivery } from "../../../webhooks/delivery-contract.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announce.tsx";
import { Attempts } from "../components/attempts.tsx";
import { Empty } from "../components/empty.tsx";
import { ListTable } from "../components/list-table.tsx";
import { PagedList, usePage } from "../components/paged-list.tsx";
import { StatusFilter } from "../components/status-filter.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { call, callPage, type Page } from "../request.ts";
import { route } from "../router.ts";
import type { Loaded } from "../use-load.ts";
import { usePolling } from "../use-polling.ts";
import { typeWords } from "./types-field.tsx";
import { webhookPath } from "./webhook-fields.tsx";

const STATUS_WORDS: Readonly<Record<Delivery["status"], string>> = {
  waiting: "Waiting",
  delivered: "Delivered",
  failed: "Failed",
  dropped: "Dropped",
};

const STATUS_CHOICES = Object.entries(STATUS_WORDS).map(([value, label]) => ({ value, label }));

export function useDeliveries(id: string): Loaded<Page<Delivery>> {
  const deliveries = usePage(
    (query, signal) => callPage<Delivery>(`${webhookPath(id)}/deliveries`, { query, signal }),
    { status: route.value.query.get("status") ?? undefined },
  );
  const waiting = deliveries.value?.items.filter(({ status }) => status === "waiting") ?? [];
  usePolling(waiting.map((one) => `${one.id}:${one.attempts.length}`).join(" "), deliveries.reload);
  return deliveries;
}

interface DeliveriesProps {
  readonly id: string;
  readonly deliveries: Loaded<Page<Delivery>>;
}

export function Deliveries({ id, deliveries }: DeliveriesProps) {
  async function redeliver({ id: deliveryId }: Delivery): Promise<void> {
    await call("POST", `${webhookPath(id)}/deliveries/${deliveryId}/redeliver`);
    announce("The delivery is sent again");
    await deliveries.reload();
  }
  const columns = {
    Event: ({ type, eventId, createdAt }: Delivery) => (
      <>
        {typeWords(type)}
        <span class="detail">
          {eventId !== null && `Event ${eventId} · `}
          <Timestamp at={createdAt} precision="ago" />
        </span>
      </>
    ),
    Status: ({ status }: Delivery) => (
      <span class={`badge ${status === "waiting" ? "queued" : status}`}>{STATUS_WORDS[status]}</span>
    ),
    Attempts: ({ attempts }: Delivery) => (attempts.length === 0 ? "None" : <Attempts attempts={attempts} />),
    Actions: (delivery: Delivery) => (
      <ActionButton
        class="link"
        label={`Send again: delivery ${delivery.id}`}
        failure="The delivery was not queued."
        action={() => redeliver(delivery)}
      >
        Send again
      </ActionButton>
    ),
  };
  return (
    <section aria-labelledby="deliveries-heading">
      <h2 id="deliveries-heading">Deliveries</h2>
      <search class="filter">
        <StatusFilter choices={STATUS_CHOICES} />
      </search>
      <PagedList
        loaded={deliveries}
        what="deliveries"
        empty={<Empty title="No deliveries." children={null} />}
      >
        {({ items }) => <ListTable label="Deliveries" rows={items} columns={columns} />}
      </PagedList>
    </section>
  );
}
