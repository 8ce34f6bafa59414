import type { JSX } from "preact";
import { INT64_MAX, INT64_MIN, type Int64, parseInt64 } from "../../../../client/src/int64.ts";
import type { NewPet } from "../../../pets/contract.ts";
import { CATEGORY_LIST_ID, CategoryList, type CategoryNames } from "../categories/known-categories.tsx";
import { ChoiceField, TextField } from "../components/field.tsx";
import type { FormState, Problems, Values } from "../components/form-state.ts";
import { shortName } from "../components/long-text.tsx";
import { STATUS_CHOICES } from "./pet-status.tsx";

/** Every member of `NewPet` has a form field: a new member does not compile until it is in this file. */
export type PetField = keyof NewPet;

/** The body for the API; an empty optional field is undefined. */
export function petFrom(values: Values<PetField>): Readonly<Record<PetField, unknown>> {
  const { name, status } = values;
  return { name, categoryId: categoryOf(values), status: status === "" ? undefined : status };
}

/** What the page can check by itself; the server checks the rest. */
export function checkPet({ name, categoryId }: Values<PetField>): Problems {
  return {
    ...(name === "" && { name: "is required" }),
    ...(parseInt64(categoryId.trim()) === undefined && {
      categoryId:
        categoryId.trim() === "" ? "is required" : `must be an integer from ${INT64_MIN} to ${INT64_MAX}`,
    }),
  };
}

function categoryOf(values: Values<PetField>): Int64 | undefined {
  return parseInt64(values.categoryId.trim());
}

interface PetFieldsProps {
  readonly form: FormState<PetField>;
  readonly categories: CategoryNames | undefined;
}

const FIELDS: Readonly<Record<PetField, (props: PetFieldsProps) => JSX.Element>> = {
  name: NameField,
  categoryId: CategoryField,
  status: StatusField,
};

export function PetFields(props: PetFieldsProps) {
  return Object.entries(FIELDS).map(([name, Field]) => <Field key={name} {...props} />);
}

function NameField({ form }: PetFieldsProps) {
  return <TextField form={form} name="name" label="Name" />;
}

function CategoryField({ form, categories }: PetFieldsProps) {
  return (
    <>
      <TextField
        form={form}
        name="categoryId"
        label="Category"
        inputMode="numeric"
        list={CATEGORY_LIST_ID}
        hint={categoryHint(form, categories)}
      />
      <CategoryList names={categories} />
    </>
  );
}

function StatusField({ form }: PetFieldsProps) {
  const choices = [{ value: "", label: "No status" }, ...STATUS_CHOICES];
  return <ChoiceField form={form} name="status" label="Status" isOptional choices={choices} />;
}

function categoryHint({ values }: FormState<PetField>, categories: CategoryNames | undefined) {
  const categoryId = categoryOf(values);
  if (categoryId === undefined) return "The category's number. Known categories are suggested as you type.";
  const name = categories?.get(categoryId);
  if (name !== undefined) return <span dir="auto">{shortName(name, "A category without a name")}</span>;
  return categories && "No category has this number yet. You can use it anyway.";
}
