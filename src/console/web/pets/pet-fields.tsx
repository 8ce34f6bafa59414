import { INT64_MAX, INT64_MIN, type Int64, parseInt64 } from "../../../../client/src/int64.ts";
import { CategoryList } from "../categories/category-list.tsx";
import { CATEGORY_LIST_ID, type CategoryNames } from "../categories/known-categories.ts";
import { ChoiceField, LongTextField, SuggestField, TextField } from "../components/field.tsx";
import type { FormState, Problems, Values } from "../components/form-state.ts";
import { shortName } from "../components/long-text.tsx";
import { STATUS_CHOICES } from "./pet-status.tsx";

export type AnimalField = "name" | "categoryId" | "status";

/** What can be told without asking the server; the rest is the server's to say. */
export function checkAnimal({ name, categoryId }: Values<AnimalField>): Problems {
  return {
    ...(name === "" && { name: "is required" }),
    ...(parseInt64(categoryId.trim()) === undefined && {
      categoryId:
        categoryId.trim() === "" ? "is required" : `must be an integer from ${INT64_MIN} to ${INT64_MAX}`,
    }),
  };
}

export function categoryOf(values: Values<AnimalField>): Int64 | undefined {
  return parseInt64(values.categoryId.trim());
}

interface AnimalFieldsProps {
  readonly form: FormState<AnimalField>;
  readonly categories: CategoryNames | undefined;
}

export function AnimalFields({ form, categories }: AnimalFieldsProps) {
  // A one-line field would drop the line breaks that a program may have put into a name.
  const hasLines = /[\r\n]/.test(form.values.name);
  return (
    <>
      {hasLines ? (
        <LongTextField form={form} name="name" label="Name" rows={3} />
      ) : (
        <TextField form={form} name="name" label="Name" />
      )}
      <SuggestField
        form={form}
        name="categoryId"
        label="Category"
        inputMode="numeric"
        list={CATEGORY_LIST_ID}
        hint={categoryHint(form, categories)}
      />
      <CategoryList names={categories} />
      <ChoiceField
        form={form}
        name="status"
        label="Status"
        isOptional
        choices={[{ value: "", label: "No status" }, ...STATUS_CHOICES]}
      />
    </>
  );
}

function categoryHint({ values }: FormState<AnimalField>, categories: CategoryNames | undefined) {
  const categoryId = categoryOf(values);
  if (categoryId === undefined) return "The category's number. Known categories are offered as you type.";
  const name = categories?.get(categoryId);
  if (name !== undefined) return <span dir="auto">{shortName(name, "A category without a name")}</span>;
  return categories && "No category is kept under this number yet, which is fine.";
}
