import type { Attention } from "../../contract.ts";
import { mayChange } from "../account/session.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announce.tsx";
import { shortName } from "../components/long-text.tsx";
import { ago, Timestamp } from "../components/timestamp.tsx";
import { ProgramNoticeItems } from "../developers/program-notices.tsx";
import { saleName } from "../pets/sales.ts";
import { SellButton } from "../pets/sell-button.tsx";
import { call } from "../request.ts";

/** A list of tasks. For each task, there is a button that does the task, or a link to the page where the person can do it. */
export function ToDo({ attention }: { readonly attention: Attention }) {
  const { orders, pets, failedMails, damaged, resetLinks } = attention;
  if (!Object.values(attention).flat().some(Boolean)) return null;
  return (
    <section class="card" aria-labelledby="to-do-heading">
      <h2 id="to-do-heading">To do</h2>
      <ul class="events" translate={false}>
        {resetLinks.map(({ at, actor }) => (
          <li key={at} dir="auto">
            {actor.name || "The operator"} created a link to set your password, on <Timestamp at={at} />. If
            you did not ask for this link, <a href="/account">change your password</a>: then the link stops
            working, and you're signed out on other devices.
          </li>
        ))}
        {damaged.map((database) => (
          <li key={database}>
            Damage was found in the database {database}. To see what to do, run{" "}
            <code>petstore doctor --deep</code> on the service's machine.
          </li>
        ))}
        {failedMails > 0 && (
          <li>
            <a href="/people">{failedMails === 1 ? "An email" : `${failedMails} emails`}</a> could not be
            sent.
          </li>
        )}
        {orders.map((order) => (
          <li key={String(order.id)} class="task">
            <span>
              <a href={`/animals/${order.petId}`} dir="auto">
                {shortName(order.petName, `Animal ${order.petId}`)}
              </a>{" "}
              <a href={`/orders?for=${order.petId}`}>order {String(order.id)}</a>,{" "}
              {order.isLate && order.shipDate ? (
                <span class="problem">
                  due on <Timestamp at={order.shipDate} precision="day" />
                </span>
              ) : (
                `opened ${ago(new Date(order.createdAt))}`
              )}
            </span>
            <SellButton pet={{ id: order.petId, name: order.petName, status: "pending" }} order={order} />
          </li>
        ))}
        {pets.map((pet) => (
          <li key={String(pet.id)} class="task">
            <span>
              <a href={`/animals/${pet.id}`} dir="auto">
                {shortName(pet.name, `Animal ${pet.id}`)}
              </a>{" "}
              pending for more than 3 days, without an order
            </span>
            {mayChange.value && (
              <ActionButton
                class="secondary"
                failure={`${saleName(pet)} was not changed.`}
                action={async () => {
                  const body = { status: "available" };
                  await call("PATCH", `/pets/${pet.id}`, { body, ifMatch: pet.etag });
                  announce(`${saleName(pet)} is available`);
                }}
              >
                Make available
              </ActionButton>
            )}
          </li>
        ))}
        <ProgramNoticeItems notices={attention} />
      </ul>
    </section>
  );
}
