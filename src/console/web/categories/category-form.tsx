import { parseInt64 } from "exact-json/int64";
import type { Category, NewCategory } from "../../../categories/contract.ts";
import { DESCRIPTION_LENGTH_MAX, NAME_LENGTH_MAX } from "../../../contract/text-length.ts";
import { announce } from "../components/announce.tsx";
import { finishDialog } from "../components/dialog.tsx";
import { TextField } from "../components/field.tsx";
import { FormDialog } from "../components/form-dialog.tsx";
import { checkText, type FormState, type Problems, useForm, type Values } from "../components/form-state.ts";
import { shortName } from "../components/long-text.tsx";

/**
 * A form for a new category.
 *
 * @param number a category number that animals already have and that the new category will get; an empty string if the service is
 *   to assign a number
 */
export function AddCategory({ number }: { readonly number: string }) {
  const form = useForm<keyof NewCategory>({
    id: `new-category${number}`,
    initial: { id: number, name: "", description: "" },
    check: ({ id, ...values }) => ({
      ...checkCategory(values),
      ...(id.trim() !== "" && parseInt64(id.trim()) === undefined && { id: "must be a 64-bit integer" }),
    }),
    async send(values, create) {
      const body = { id: parseInt64(values.id.trim()), ...categoryFrom(values) };
      const category = await create<Category>("/categories", body);
      announce(`${shortName(category.name, "The category")} added`);
      finishDialog();
    },
  });
  return (
    <FormDialog title="New category" form={form} submitLabel="Add category">
      <CategoryFields form={form} />
      <TextField form={form} name="id" label="Number" hint="Leave empty to get a free number." isOptional />
    </FormDialog>
  );
}

export type CategoryField = Exclude<keyof NewCategory, "id">;

/** Converts the fields of a category's form to a request body. An empty description is left out. */
export function categoryFrom({
  name,
  description,
}: Values<CategoryField>): Readonly<Record<CategoryField, unknown>> {
  return { name, description: description === "" ? undefined : description };
}

export function checkCategory({ name, description }: Values<CategoryField>): Problems {
  return {
    ...checkText("name", name, NAME_LENGTH_MAX),
    ...checkText("description", description, DESCRIPTION_LENGTH_MAX),
    ...(name === "" && { name: "is required" }),
  };
}

export function CategoryFields({ form }: { readonly form: FormState<CategoryField> }) {
  return (
    <>
      <TextField form={form} name="name" label="Name" />
      <TextField form={form} name="description" label="Description" isOptional />
    </>
  );
}
