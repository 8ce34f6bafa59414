import type { ComponentChildren } from "preact";
import type { Int64 } from "../../../../client/src/int64.ts";
import type { Pet } from "../../../pets/contract.ts";
import type { CategoryNames } from "../categories/known-categories.ts";
import { Cell, ListTable, RowHeader } from "../components/list-table.tsx";
import { LongText, shortName } from "../components/long-text.tsx";
import { StatusBadge } from "./pet-status.tsx";

interface PetTableProps {
  readonly pets: readonly Pet[];
  readonly categories: CategoryNames | undefined;
  readonly onRemove: (pet: Pet) => void;
}

interface Column {
  readonly label: string;
  show(pet: Pet, categories: CategoryNames | undefined): ComponentChildren;
}

/** Every member of `Pet` has a column: a new member does not compile until it is here. */
const COLUMNS: Readonly<Record<keyof Pet, Column>> = {
  name: {
    label: "Name",
    show: ({ name }) => (name.trim() === "" ? <em class="muted">No name</em> : <LongText text={name} />),
  },
  id: { label: "Number", show: ({ id }) => String(id) },
  categoryId: {
    label: "Category",
    show: ({ categoryId }, categories) => <CategoryName id={categoryId} names={categories} />,
  },
  status: { label: "Status", show: ({ status }) => <StatusBadge status={status} /> },
};

export function PetTable({ pets, categories, onRemove }: PetTableProps) {
  const { name, ...others } = COLUMNS;
  const columns = Object.values(others);
  const labels = [name, ...columns].map(({ label }) => label);
  return (
    <ListTable label="Animals" columns={[...labels, "Actions"]}>
      {pets.map((pet) => (
        <tr key={String(pet.id)}>
          <RowHeader label={name.label}>{name.show(pet, categories)}</RowHeader>
          {columns.map(({ label, show }) => (
            <Cell key={label} label={label}>
              {show(pet, categories)}
            </Cell>
          ))}
          <Cell label="Actions">
            <PetActions pet={pet} onRemove={onRemove} />
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

function PetActions({ pet, onRemove }: { readonly pet: Pet; readonly onRemove: (pet: Pet) => void }) {
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
