import type { Int64 } from "exact-json/int64";
import type { Pet } from "../../../pets/contract.ts";
import type { ActivityLine } from "../../activity-contract.ts";
import { mayChange } from "../account/session.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announce } from "../components/announce.tsx";
import { Empty } from "../components/empty.tsx";
import { Loading } from "../components/loading.tsx";
import { shortName } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { actorWords } from "../events/actor-words.ts";
import { isolated } from "../events/change-words.ts";
import { History } from "../events/history.tsx";
import { call, callPage } from "../request.ts";
import { navigate } from "../router.ts";
import { useLoad } from "../use-load.ts";

/**
 * The page for an identifier that no animal has. If an animal with this identifier was removed, and the event is still stored,
 * the page says who removed the animal, and when.
 */
export function RemovedPet({ id }: { readonly id: Int64 | undefined }) {
  const removed = useLoad(
    async (signal) => {
      if (id === undefined) return { items: [], next: undefined };
      return callPage<ActivityLine>("/activity", { query: { petId: String(id), limit: "1" }, signal });
    },
    [String(id)],
  );
  return (
    <Loading loaded={removed} what="the animal's history">
      {({ items: [line] }) =>
        line?.type === "pet.deleted" && id !== undefined ? (
          <div class="stack">
            <Tombstone line={line} pet={line.data} />
            <History petId={id} />
          </div>
        ) : (
          <Empty title="No animal has this number.">
            <p>
              It may have been removed. <a href="/animals">See all animals</a>.
            </p>
          </Empty>
        )
      }
    </Loading>
  );
}

function Tombstone({ line, pet: { id, ...values } }: { readonly line: ActivityLine; readonly pet: Pet }) {
  const name = shortName(values.name, `Animal ${id}`);
  async function addAgain() {
    // The idempotency key depends only on the event, so that pressing the button twice adds only one animal.
    const idempotencyKey = `add-again-${line.id}`;
    const added = await call<Pet>("POST", "/pets", { body: values, idempotencyKey });
    announce(`${name} added`);
    navigate(`/animals/${added.id}`, { replace: true });
  }
  return (
    <Empty title={`${isolated(name)} was removed`}>
      <p translate={false}>
        By <bdi>{actorWords(line)}</bdi>, <Timestamp at={line.createdAt} precision="ago" />. The number{" "}
        {String(id)} is not used again.
      </p>
      {mayChange.value && (
        <div class="actions">
          <ActionButton class="secondary" failure={`${name} was not added.`} action={addAgain}>
            Add again
          </ActionButton>
        </div>
      )}
    </Empty>
  );
}
