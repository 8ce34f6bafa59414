import { useEffect, useRef } from "preact/hooks";
import type { Pet } from "../../../pets/contract.ts";
import type { CountedPets } from "../../contract.ts";
import { mayChange } from "../account/session.ts";
import { CategoryCombobox } from "../categories/category-combobox.tsx";
import { useCategoryNames } from "../categories/known-categories.ts";
import { ActionButton } from "../components/action-button.tsx";
import { announcePolite } from "../components/announce.tsx";
import { useDialog } from "../components/dialog.tsx";
import { Empty } from "../components/empty.tsx";
import { useKeepFocus } from "../components/keep-focus.ts";
import { lazy } from "../components/lazy.tsx";
import { lazyDialog } from "../components/lazy-dialog.tsx";
import { Loading } from "../components/loading.tsx";
import { Menu } from "../components/menu.tsx";
import { NewItems } from "../components/paged-list.tsx";
import { Screen } from "../components/screen.tsx";
import { filterBy } from "../components/status-filter.tsx";
import { useCounts } from "../events/use-counts.ts";
import { ExportButton } from "../files/export-button.tsx";
import { call, type Query, type Versioned } from "../request.ts";
import { route } from "../router.ts";
import { useKeys } from "../use-keys.ts";
import { animalCount } from "./animal-count.ts";
import { numberIn, PetSearch } from "./pet-search.tsx";
import { WITHOUT_STATUS } from "./pet-status.tsx";
import { PetTable } from "./pet-table.tsx";
import { countOfTab, PetTabs } from "./pet-tabs.tsx";
import { looksSold } from "./sales.ts";
import { clearSelection, isSelecting, reading, selected, startSelecting } from "./selection.ts";
import { type PetList, usePets } from "./use-pets.ts";

const FirstAnimals = lazy(async () => (await import("./first-animals.tsx")).FirstAnimals);
const BulkBar = lazy(async () => (await import("./bulk-bar.tsx")).BulkBar);
const RemovePet = lazyDialog(async () => (await import("./remove-pet.tsx")).RemovePet);

export function Pets() {
  const { query } = route.value;
  const categories = useCategoryNames();
  const counts = useCounts(countPets, ["pet"]).value?.counts ?? [];
  const pets = usePets(filterOf(query));
  const loaded = pets.value?.news === undefined ? pets.value?.items.length : undefined;
  useEffect(() => {
    if (loaded !== undefined) announcePolite(`${animalCount(loaded)} shown`);
  }, [pets.value?.filter, loaded]);
  const removing = useDialog<Versioned<Pet>>();
  const place = useKeepFocus<HTMLDivElement>("h1");
  const wasSelected = useRef(false);
  wasSelected.current ||= selected.value.size > 0 || isSelecting.value || reading.value !== undefined;
  useKeys({ Escape: clearSelection });
  return (
    <Screen title="Animals" actions={<ScreenActions filter={filterOf(query)} />}>
      <PetTabs counts={counts} />
      <PetFilter />
      <Loading loaded={pets} what="the animals">
        {({ items, next, news }) => (
          <>
            <NewItems news={news} show={pets.reload} />
            {items.length === 0 ? (
              <NoPets query={query} />
            ) : (
              <div {...place} class={isSelecting.value ? "is-selecting" : undefined}>
                <PetTable
                  pets={items}
                  gone={news?.gone}
                  categories={categories}
                  search={query.get("name") ?? ""}
                  isInactive={(pet) => !isListed(pet, filterOf(query))}
                  onRemove={removing.open}
                />
              </div>
            )}
            <ListEnd shown={items.length} more={next === undefined ? undefined : pets.more} />
            {wasSelected.current && (
              <BulkBar
                shown={items}
                more={next === undefined ? undefined : filterOf(query)}
                total={countOfTab(counts, query)}
                onChanged={pets.put}
              />
            )}
          </>
        )}
      </Loading>
      {removing.subject && (
        <RemovePet pet={removing.subject} onDeleted={pets.reload} onClose={removing.close} />
      )}
    </Screen>
  );
}

function countPets(signal?: AbortSignal) {
  return call<CountedPets>("GET", "/pet-counts", { signal });
}

interface ListEndProps {
  readonly shown: number;
  /** Loads more animals; undefined at the end of the list. */
  readonly more: PetList["more"] | undefined;
}

function ListEnd({ shown, more }: ListEndProps) {
  const place = useKeepFocus<HTMLDivElement>("h1");
  return (
    <div class="paging" {...place}>
      <span class="muted" translate={false}>{`${animalCount(shown)} shown`}</span>
      {more && (
        <ActionButton class="secondary" failure="The rest of the list could not be loaded." action={more}>
          Load more
        </ActionButton>
      )}
    </div>
  );
}

function ScreenActions({ filter }: { readonly filter: Query }) {
  return (
    <div class="row-actions">
      <Menu label="More" isInline>
        <ExportButton filter={filter} />
        {mayChange.value && (
          <>
            <button type="button" class="secondary for-phone" onClick={startSelecting}>
              Select animals
            </button>
            <button type="button" class="secondary" onClick={() => void selectAllOf(filter)}>
              Select all
            </button>
            <a href="/animals/import" class="button secondary">
              Import
            </a>
          </>
        )}
      </Menu>
      {mayChange.value && (
        <a href="/animals/new" class="button">
          Add an animal
        </a>
      )}
    </div>
  );
}

async function selectAllOf(filter: Query) {
  const { selectMatching } = await import("./select-matching.tsx");
  await selectMatching(filter);
}

function filterOf(query: URLSearchParams): Query {
  const name = query.get("name") ?? undefined;
  const id = numberIn(name ?? "");
  if (id !== undefined) return { id };
  const status = query.get("status") ?? undefined;
  const ofStatus = status === WITHOUT_STATUS ? { hasStatus: "false" } : { status };
  return { ...ofStatus, categoryId: query.get("category") ?? undefined, name };
}

/** Returns false if an animal no longer matches the filter of the list because it has changed. */
function isListed(pet: Pet, filter: Query): boolean {
  const { status = pet.status, hasStatus, categoryId = String(pet.categoryId) } = filter;
  if (looksSold(pet)) return true;
  if (hasStatus === "false" && pet.status !== undefined) return false;
  return status === pet.status && categoryId === String(pet.categoryId);
}

function NoPets({ query }: { readonly query: URLSearchParams }) {
  if (query.size === 0) return <FirstAnimals />;
  const number = numberIn(query.get("name") ?? "");
  return (
    <Empty title={number ? `No animal has the number ${number}.` : "No animal matches this filter."}>
      <p>
        Choose another name, status or category, or <a href="/animals">show all animals</a>.
      </p>
    </Empty>
  );
}

function PetFilter() {
  const { query } = route.value;
  return (
    <search class="filter">
      <PetSearch />
      <CategoryCombobox
        id="filter-category"
        value={query.get("category") ?? ""}
        onSelect={(category) => filterBy({ category })}
        placeholder="Any category"
        isForFinding
      />
    </search>
  );
}
