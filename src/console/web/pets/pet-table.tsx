import type { Int64 } from "exact-json/int64";
import type { Pet } from "../../../pets/contract.ts";
import type { LastChange } from "../../contract.ts";
import { mayChange } from "../account/session.ts";
import type { CategoryNames } from "../categories/category-names.ts";
import { lazy } from "../components/lazy.tsx";
import { type Columns, ListTable } from "../components/list-table.tsx";
import { shortName, visibleText } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { actorWords } from "../events/actor-words.ts";
import type { Versioned } from "../request.ts";
import type { HighlightedProps } from "./highlighted.tsx";
import { useOpenOrders } from "./open-orders.ts";
import { PetActions } from "./pet-actions.tsx";
import { StatusBadge } from "./pet-status.tsx";
import { saleName, shownStatus } from "./sales.ts";
import { refusals, select, selectAll, selected } from "./selection.ts";
import { useLastChanges } from "./use-last-changes.ts";

type Rows = readonly Versioned<Pet>[];

interface PetTableProps {
  readonly pets: Rows;
  readonly gone?: ReadonlySet<Int64> | undefined;
  readonly categories: CategoryNames | undefined;
  /** The text of the search; empty if there is no search. */
  readonly search?: string;
  readonly isInactive?: (pet: Pet) => boolean;
  readonly onRemove: (pet: Versioned<Pet>) => void;
}

const OWN_NUMBER: Columns<Pet> = {
  "Own number": {
    cell: ({ externalId }) => externalId !== undefined && <bdi>{visibleText(externalId)}</bdi>,
    width: "7rem",
    phone: "hidden",
  },
};

/**
 * The columns, one for each member of `Pet`. If a member is added to `Pet`, the program does not compile until this table has a
 * column for it.
 */
function columnsOf({ pets, categories, search = "", gone }: PetTableProps) {
  const columns: Readonly<Record<keyof Pet, Columns<Pet>>> = {
    name: { Name: (pet) => <PetName pet={pet} search={search} /> },
    id: { Number: { cell: ({ id }) => String(id), width: "4.5rem", isShort: true, phone: "hidden" } },
    externalId: pets.some(({ externalId }) => externalId !== undefined) ? OWN_NUMBER : {},
    categoryId: {
      Category: {
        cell: ({ categoryId }) => <CategoryName id={categoryId} names={categories} />,
        width: "max(14cqi, 60cqi - 32rem)",
      },
    },
    status: {
      Status: {
        cell: (pet) =>
          gone?.has(pet.id) ? <span class="badge">Removed</span> : <StatusBadge status={shownStatus(pet)} />,
        width: "7rem",
        isShort: true,
        phone: "first",
      },
    },
  };
  return Object.assign({}, ...Object.values(columns)) as Columns<Pet>;
}

export function PetTable(props: PetTableProps) {
  const { pets, gone, isInactive, onRemove } = props;
  const changes = useLastChanges(pets);
  useOpenOrders(pets);
  const lastChanged: Columns<Pet> = {
    "Last changed": {
      cell: ({ id }) => <LastChangeCell change={changes.get(id)} />,
      width: "8rem",
      isShort: true,
    },
  };
  return (
    <ListTable<Versioned<Pet>>
      label="Animals"
      rows={pets}
      isInactive={(pet) => gone?.has(pet.id) || isInactive?.(pet) || false}
      columns={{ ...columnsOf(props), ...lastChanged }}
      actions={
        mayChange.value && ((pet) => !gone?.has(pet.id) && <PetActions pet={pet} onRemove={onRemove} />)
      }
      selection={mayChange.value ? selectionOf(pets) : undefined}
    />
  );
}

function selectionOf(pets: Rows) {
  return {
    all: <AllCheckbox rows={pets} />,
    one: (pet: Versioned<Pet>) => <PetCheckbox rows={pets} pet={pet} />,
    isSelected: ({ id }: Pet) => selected.value.has(id),
  };
}

interface PetNameProps {
  readonly pet: Pet;
  readonly search: string;
}

/** Marks the parts of a name that match the search. Until the code for this has been loaded, the name is shown without marks. */
const Highlighted = lazy<HighlightedProps>(
  async () => (await import("./highlighted.tsx")).Highlighted,
  ({ text }) => <>{text}</>,
);

function PetName({ pet: { id, name }, search }: PetNameProps) {
  const refusal = selected.value.has(id) && refusals.value.get(id);
  return (
    <>
      <a href={`/animals/${id}`} dir="auto">
        {name.trim() === "" ? (
          <em class="muted">No name</em>
        ) : search === "" ? (
          visibleText(name)
        ) : (
          <Highlighted text={visibleText(name)} search={search} />
        )}
      </a>
      {refusal && <p class="problem">{refusal}</p>}
    </>
  );
}

function LastChangeCell({ change }: { readonly change: LastChange | undefined }) {
  if (change === undefined) return "–";
  return <Timestamp at={change.createdAt} precision="recent" by={`by ${actorWords(change)}`} />;
}

function CategoryName({ id, names }: { readonly id: Int64; readonly names: CategoryNames | undefined }) {
  const name = names?.get(id);
  if (name !== undefined) return <span dir="auto">{shortName(name, `Category ${id}`)}</span>;
  if (names === undefined || !mayChange.value) return `Category ${id}`;
  return (
    <a href={`/categories?name=${id}`} class="muted">
      Category {String(id)} · add a name
    </a>
  );
}

/** The checkbox of a row. If the person clicks it with Shift, all rows between the last clicked row and this row are selected. */
function PetCheckbox({ rows, pet }: { readonly rows: Rows; readonly pet: Versioned<Pet> }) {
  return (
    <label class="box">
      <input
        type="checkbox"
        data-key="x"
        aria-label={`Select ${saleName(pet)}`}
        checked={selected.value.has(pet.id)}
        onClick={(event) => select(rows, pet, event.currentTarget.checked, event.shiftKey)}
      />
    </label>
  );
}

function AllCheckbox({ rows }: { readonly rows: Rows }) {
  const count = rows.filter(({ id }) => selected.value.has(id)).length;
  return (
    <label class="box">
      <input
        type="checkbox"
        aria-label="Select all animals shown"
        checked={count > 0 && count === rows.length}
        indeterminate={count > 0 && count < rows.length}
        onClick={(event) => selectAll(rows, event.currentTarget.checked)}
      />
    </label>
  );
}
