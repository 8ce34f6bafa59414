import type { Int64 } from "exact-json/int64";
import type { ComponentChildren } from "preact";
import type { Pet } from "../../../pets/contract.ts";
import { nameMatcher } from "../../../pets/words.ts";
import type { LastChange } from "../../contract.ts";
import { mayChange } from "../account/session.ts";
import type { CategoryNames } from "../categories/category-names.ts";
import { type Columns, ListTable } from "../components/list-table.tsx";
import { shortName, visibleText } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { actorWords } from "../events/actor-words.ts";
import type { Versioned } from "../request.ts";
import { useOpenOrders } from "./open-orders.ts";
import { PetActions } from "./pet-actions.tsx";
import { StatusBadge } from "./pet-status.tsx";
import { saleName, shownStatus } from "./sales.ts";
import { refusals, select, selectAll, selected } from "./selection.ts";
import { useLastChanges } from "./use-last-changes.ts";

type Rows = readonly Versioned<Pet>[];

interface PetTableProps {
  readonly pets: Rows;
  /** The numbers of animals that were removed. */
  readonly gone?: ReadonlySet<Int64> | undefined;
  readonly categories: CategoryNames | undefined;
  readonly words?: readonly string[];
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
function columnsOf({ pets, categories, words = [], gone }: PetTableProps) {
  const columns: Readonly<Record<keyof Pet, Columns<Pet>>> = {
    name: { Name: (pet) => <PetName pet={pet} words={words} /> },
    id: { Number: { cell: ({ id }) => String(id), width: "4.5rem", isShort: true, phone: "hidden" } },
    externalId: pets.some(({ externalId }) => externalId !== undefined) ? OWN_NUMBER : {},
    categoryId: {
      Category: {
        cell: ({ categoryId }) => <CategoryName id={categoryId} names={categories} />,
        width: "14%",
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
  readonly words: readonly string[];
}

function PetName({ pet: { id, name }, words }: PetNameProps) {
  const refusal = selected.value.has(id) && refusals.value.get(id);
  return (
    <>
      <a href={`/animals/${id}`} dir="auto">
        {name.trim() === "" ? <em class="muted">No name</em> : highlighted(name, words)}
      </a>
      {refusal && <p class="problem">{refusal}</p>}
    </>
  );
}

const WEEK_MS = 604_800_000;

function LastChangeCell({ change }: { readonly change: LastChange | undefined }) {
  if (change === undefined) return "–";
  const isOld = Date.now() - Date.parse(change.createdAt) > WEEK_MS;
  return (
    <Timestamp at={change.createdAt} precision={isOld ? "day" : "ago"} by={`by ${actorWords(change)}`} />
  );
}

function CategoryName({ id, names }: { readonly id: Int64; readonly names: CategoryNames | undefined }) {
  const name = names?.get(id);
  if (name !== undefined) return <span dir="auto">{shortName(name, `Category ${id}`)}</span>;
  if (names === undefined || !mayChange.value) return `Category ${id}`;
  return (
    <a href={`/categories?name=${id}`} class="muted">
      Category {String(id)} · name it
    </a>
  );
}

/** Shows a name and marks the parts that match the search. */
function highlighted(name: string, words: readonly string[]): ComponentChildren {
  const text = visibleText(name);
  if (words.length === 0) return text;
  return text.split(/([\p{L}\p{N}\p{Mn}]+)/u).map((part) => {
    const [start, end] = words.map((word) => foundIn(part, word)).reduce(longer);
    return (
      <>
        {part.slice(0, start)}
        {end > start && <mark>{part.slice(start, end)}</mark>}
        {part.slice(end)}
      </>
    );
  });
}

type Range = readonly [start: number, end: number];

function longer(one: Range, other: Range): Range {
  return other[1] - other[0] > one[1] - one[0] ? other : one;
}

/**
 * Returns the range of letters, in a part of a name, that match a search word regardless of accents and case: `Äpf` for `apf`. The
 * range is empty if nothing matches.
 */
function foundIn(part: string, word: string): Range {
  const isFound = nameMatcher([word]);
  if (!isFound(part)) return [0, 0];
  let end = 1;
  while (!isFound(part.slice(0, end))) end++;
  let start = 0;
  while (start + 1 < end && isFound(part.slice(start + 1, end))) start++;
  // Combining accents that follow the range belong to its last letter.
  return [start, end + (/^\p{Mn}*/u.exec(part.slice(end))?.[0].length ?? 0)];
}

/** The checkbox of a row. If it is clicked with Shift, all rows between the last clicked row and this one are selected. */
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
