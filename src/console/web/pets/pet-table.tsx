import type { Int64 } from "exact-json/int64";
import type { ComponentChildren } from "preact";
import type { Pet } from "../../../pets/contract.ts";
import { nameMatcher } from "../../../pets/words.ts";
import type { LastChange } from "../../contract.ts";
import { account, mayChange } from "../account/session.ts";
import type { CategoryNames } from "../categories/category-names.ts";
import { ListTable } from "../components/list-table.tsx";
import { LongText, shortName, visibleText } from "../components/long-text.tsx";
import { Timestamp } from "../components/timestamp.tsx";
import { actorWords } from "../events/event-words.ts";
import type { Versioned } from "../request.ts";
import { StatusBadge } from "./pet-status.tsx";
import { refusals, select, selectAll, selected } from "./selection.ts";
import { SellButton } from "./sell-button.tsx";
import { useLastChanges } from "./use-last-changes.ts";

interface PetTableProps {
  readonly pets: readonly Versioned<Pet>[];
  readonly gone?: ReadonlySet<Int64> | undefined;
  readonly categories: CategoryNames | undefined;
  readonly words?: readonly string[];
  readonly isSelectable?: boolean;
  readonly onRemove: (pet: Versioned<Pet>) => void;
}

type Column = readonly [label: string, show: (pet: Pet) => ComponentChildren];

/** A column for each member of `Pet`: a new member does not compile until it is here. */
function columnsOf({ categories, words = [] }: PetTableProps): Readonly<Record<keyof Pet, Column>> {
  return {
    name: [
      "Name",
      ({ name }) => {
        if (name.trim() === "") return <em class="muted">No name</em>;
        return <LongText text={name}>{highlighted(name, words)}</LongText>;
      },
    ],
    categoryId: ["Category", ({ categoryId }) => <CategoryName id={categoryId} names={categories} />],
    status: ["Status", (pet) => <PetState {...pet} />],
    id: ["Number", ({ id }) => String(id)],
  };
}

export function PetTable(props: PetTableProps) {
  const { pets, gone, isSelectable, onRemove } = props;
  const changes = useLastChanges(pets);
  const { id, ...others } = columnsOf(props);
  const columns = Object.fromEntries([
    ...Object.values(others),
    ["Last changed", (pet: Pet) => <LastChanged change={changes.get(pet.id)} />],
    id,
  ]);
  const Actions = (pet: Versioned<Pet>) => <PetActions pet={pet} onRemove={onRemove} />;
  return (
    <ListTable<Versioned<Pet>>
      label="Animals"
      rows={pets}
      gone={gone}
      columns={{ ...columns, ...(mayChange.value && { Actions }) }}
      selection={mayChange.value && isSelectable ? selectionOf(pets) : undefined}
    />
  );
}

function selectionOf(pets: readonly Versioned<Pet>[]) {
  return {
    all: <AllCheckbox rows={pets} />,
    one: (pet: Versioned<Pet>) => <PetCheckbox rows={pets} pet={pet} />,
    isSelected: ({ id }: Pet) => selected.value.has(id),
  };
}

function LastChanged({ change }: { readonly change: LastChange | undefined }) {
  if (change === undefined) return "–";
  const who = change.actor.name === account.value?.email ? "you" : actorWords(change);
  return (
    <>
      <Timestamp at={change.createdAt} precision="ago" /> <span class="muted breakable">· {who}</span>
    </>
  );
}

function PetState({ id, status }: Pet) {
  const refusal = selected.value.has(id) && refusals.value.get(id);
  return (
    <>
      <StatusBadge status={status} />
      {refusal && <p class="problem">{refusal}</p>}
    </>
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

interface PetActionsProps extends Pick<PetTableProps, "onRemove"> {
  readonly pet: Versioned<Pet>;
}

function PetActions({ pet, onRemove }: PetActionsProps) {
  const name = shortName(pet.name, `animal ${pet.id}`);
  return (
    <div class="row-actions">
      <SellButton pet={pet} />
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

/** A name with the matching beginnings of its words marked. */
function highlighted(name: string, words: readonly string[]): ComponentChildren {
  const text = visibleText(name);
  if (words.length === 0) return text;
  return text.split(/([\p{L}\p{N}\p{Mn}]+)/u).map((part, index) => {
    const end = index % 2 === 0 ? 0 : longest(words.map((word) => foundLength(part, word)));
    if (end === 0) return part;
    return (
      <>
        <mark>{part.slice(0, end)}</mark>
        {part.slice(end)}
      </>
    );
  });
}

function longest(lengths: readonly number[]): number {
  return Math.max(0, ...lengths);
}

/** Length of the part of a name's word that matches a folded search word: `Äpf` for `apf`; 0 without a match. */
function foundLength(part: string, word: string): number {
  const isFound = nameMatcher([word]);
  if (!isFound(part)) return 0;
  let end = 0;
  for (const letter of part) {
    end += letter.length;
    if (isFound(part.slice(0, end))) break;
  }
  // An accent belongs to its letter.
  return end + (/^\p{Mn}*/u.exec(part.slice(end))?.[0].length ?? 0);
}

interface PetCheckboxProps {
  readonly rows: readonly Versioned<Pet>[];
  readonly pet: Versioned<Pet>;
}

/** Checkbox of a row; with Shift, it selects the range from the last clicked row on. */
function PetCheckbox({ rows, pet }: PetCheckboxProps) {
  return (
    <label class="box">
      <input
        type="checkbox"
        data-key="x"
        aria-label={`Select ${shortName(pet.name, `animal ${pet.id}`)}`}
        checked={selected.value.has(pet.id)}
        onClick={(event) => select(rows, pet, event.currentTarget.checked, event.shiftKey)}
      />
    </label>
  );
}

function AllCheckbox({ rows }: Pick<PetCheckboxProps, "rows">) {
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
      <span class="select-all">Select all</span>
    </label>
  );
}
