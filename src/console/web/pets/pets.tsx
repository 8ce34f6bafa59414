import { useEffect } from "preact/hooks";
import type { Pet } from "../../../pets/contract.ts";
import { mayChange } from "../account/session.ts";
import { useCategoryNames } from "../categories/known-categories.ts";
import { announcePolite } from "../components/announce.tsx";
import { useDialog } from "../components/dialog.tsx";
import { Empty } from "../components/empty.tsx";
import { PagedList, useLivePage } from "../components/paged-list.tsx";
import { RemoveDialog } from "../components/remove-dialog.tsx";
import { Screen } from "../components/screen.tsx";
import { ExportButton } from "../files/export-button.tsx";
import { callPage, type Page, type Query, type Versioned } from "../request.ts";
import { route } from "../router.ts";
import { PetFilter } from "./pet-filter.tsx";
import { PET_KIND } from "./pet-kind.tsx";
import { PetTable } from "./pet-table.tsx";

export function Pets() {
  const { query } = route.value;
  const categories = useCategoryNames();
  const pets = useLivePage("pet", readPets, filterOf(query));
  const loaded = pets.value?.news === undefined ? pets.value?.items : undefined;
  useEffect(() => {
    if (loaded !== undefined)
      announcePolite(loaded.length === 1 ? "1 animal on this page" : `${loaded.length} animals on this page`);
  }, [loaded]);
  const removing = useDialog<Versioned<Pet>>();
  const actions = (
    <div class="row-actions">
      <ExportButton filter={filterOf(query)} />
      {mayChange.value && (
        <a href="/animals/new" class="button">
          Add an animal
        </a>
      )}
    </div>
  );
  return (
    <Screen title="Animals" actions={actions}>
      <PetFilter />
      <PagedList loaded={pets} what="animals" empty={<NoPets isFiltered={query.size > 0} />}>
        {({ items, news }) => (
          <PetTable pets={items} gone={news?.gone} categories={categories} onRemove={removing.open} />
        )}
      </PagedList>
      {removing.subject && (
        <RemoveDialog
          kind={PET_KIND}
          resource={removing.subject}
          onRefused={pets.reload}
          onDeleted={pets.reload}
          onClose={removing.close}
        />
      )}
    </Screen>
  );
}

function readPets(query: Query, signal?: AbortSignal): Promise<Page<Versioned<Pet>>> {
  return callPage<Versioned<Pet>>("/pets", { query, signal });
}

function filterOf(query: URLSearchParams): Query {
  return { status: query.get("status") ?? undefined, categoryId: query.get("category") ?? undefined };
}

function NoPets({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Empty title="No animal matches this filter.">
        <p>
          Choose another status or category, or <a href="/animals">show all animals</a>.
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No animals yet.">
      <p>
        {mayChange.value && <a href="/animals/new">Add the first one</a>}
        {mayChange.value ? ", and it is listed here." : "Those that staff add are listed here."}
      </p>
    </Empty>
  );
}
