import { useSignal } from "@preact/signals";
import type { Int64 } from "../../../../client/src/int64.ts";
import type { Pet } from "../../../pets/contract.ts";
import { type CategoryNames, readCategoryNames } from "../categories/known-categories.ts";
import { announcePolite } from "../components/announce.tsx";
import { Empty } from "../components/empty.tsx";
import { Cell, ListTable, RowHeader } from "../components/list-table.tsx";
import { Loading } from "../components/loading.tsx";
import { LongText, shortName } from "../components/long-text.tsx";
import { Paging } from "../components/paging.tsx";
import { Screen } from "../components/screen.tsx";
import { callPage } from "../request.ts";
import { place } from "../router.ts";
import { useLoad } from "../use-load.ts";
import { AnimalFilter } from "./pet-filter.tsx";
import { StatusBadge } from "./pet-status.tsx";
import { RemoveAnimal } from "./remove-pet.tsx";

export function Animals() {
  const { query } = place.value;
  const categories = useLoad(readCategoryNames);
  const pets = useLoad(
    async (signal) => {
      const page = await callPage<Pet>("/pets", { query: petsQuery(query), signal });
      announcePolite(
        page.items.length === 1 ? "1 animal on this page" : `${page.items.length} animals on this page`,
      );
      return page;
    },
    [query.toString()],
  );
  const removing = useSignal<Pet | undefined>(undefined);
  const addLink = (
    <a href="/animals/new" class="button">
      Add an animal
    </a>
  );
  return (
    <Screen title="Animals" actions={addLink}>
      <AnimalFilter categories={categories.value} />
      <Loading loaded={pets} what="the animals">
        {({ items, next }) => (
          <>
            {items.length === 0 ? (
              <NoAnimals isFiltered={query.size > 0} />
            ) : (
              <AnimalTable
                pets={items}
                categories={categories.value}
                onRemove={(pet) => {
                  removing.value = pet;
                }}
              />
            )}
            <Paging next={next} what="animals" />
          </>
        )}
      </Loading>
      {removing.value && (
        <RemoveAnimal
          pet={removing.value}
          onRemoved={pets.reload}
          onClose={() => {
            removing.value = undefined;
          }}
        />
      )}
    </Screen>
  );
}

function petsQuery(query: URLSearchParams): Record<string, string | undefined> {
  return {
    status: query.get("status") ?? undefined,
    categoryId: query.get("category") ?? undefined,
    cursor: query.get("cursor") ?? undefined,
  };
}

function NoAnimals({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty title="No animal fits.">
        <p>
          Choose another status or category, or <a href="/animals">show all animals</a>.
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No animals yet.">
      <p>
        <a href="/animals/new">Add the first one</a>, and it will stand here.
      </p>
    </Empty>
  );
}

interface AnimalTableProps {
  readonly pets: readonly Pet[];
  readonly categories: CategoryNames | undefined;
  readonly onRemove: (pet: Pet) => void;
}

function AnimalTable({ pets, categories, onRemove }: AnimalTableProps) {
  return (
    <ListTable label="Animals" columns={["Name", "Number", "Category", "Status", "Actions"]}>
      {pets.map((pet) => (
        <tr key={String(pet.id)}>
          <RowHeader label="Name">
            {pet.name.trim() === "" ? <em class="muted">No name</em> : <LongText text={pet.name} />}
          </RowHeader>
          <Cell label="Number">{String(pet.id)}</Cell>
          <Cell label="Category">
            <CategoryName id={pet.categoryId} names={categories} />
          </Cell>
          <Cell label="Status">
            <StatusBadge status={pet.status} />
          </Cell>
          <Cell label="Actions">
            <AnimalActions pet={pet} onRemove={onRemove} />
          </Cell>
        </tr>
      ))}
    </ListTable>
  );
}

function CategoryName({ id, names }: { readonly id: Int64; readonly names: CategoryNames | undefined }) {
  const name = names?.get(id);
  if (name === undefined) return String(id);
  return (
    <>
      <span dir="auto">{shortName(name, "No name")}</span> <span class="muted">{String(id)}</span>
    </>
  );
}

function AnimalActions({ pet, onRemove }: { readonly pet: Pet; readonly onRemove: (pet: Pet) => void }) {
  const name = shortName(pet.name, `animal ${pet.id}`);
  return (
    <div class="row-actions">
      {pet.status === "available" && (
        <a href={`/orders?animal=${pet.id}`} aria-label={`Order ${name}`}>
          Order
        </a>
      )}
      <a href={`/animals/${pet.id}`} aria-label={`Edit ${name}`}>
        Edit
      </a>
      <button type="button" class="link" aria-label={`Remove ${name}`} onClick={() => onRemove(pet)}>
        Remove
      </button>
    </div>
  );
}
