import { parseInt64 } from "exact-json/int64";
import type { Category, NewCategory } from "../../../categories/contract.ts";
import type { UnnamedCategory } from "../../contract.ts";
import { announce } from "../components/announce.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { type FormState, type Problems, useForm, type Values } from "../components/form-state.ts";
import { shortName } from "../components/long-text.tsx";
import { countText } from "../overview/counts.ts";
import { useAnimalCounts } from "../pets/use-animal-counts.ts";

export function AddCategory({ onAdded }: { readonly onAdded: () => Promise<void> }) {
  const form = useForm<keyof NewCategory>({
    id: "new-category",
    initial: { id: "", name: "", description: "" },
    check: ({ id, ...values }) => ({
      ...checkCategory(values),
      ...(id.trim() !== "" && parseInt64(id.trim()) === undefined && { id: "must be a 64-bit integer" }),
    }),
    async send(values, create) {
      const body = { id: parseInt64(values.id.trim()), ...categoryFrom(values) };
      const category = await create<Category>("/categories", body);
      announce(`${shortName(category.name, "The category")} added`);
      document.getElementById("new-category-name")?.focus();
      void onAdded();
    },
  });
  return (
    <section class="card stack">
      <h2>New category</h2>
      <Form form={form} label="Add a category" submitLabel="Add category" busyLabel="Adding…">
        <CategoryFields form={form} />
        <TextField form={form} name="id" label="Number" hint="Left empty, it gets a new one." isOptional />
      </Form>
      <UnnamedCategories
        onName={(id) => {
          form.set("id", String(id));
          document.getElementById("new-category-name")?.focus();
        }}
      />
    </section>
  );
}

/** Offers to name the category numbers that animals use. */
function UnnamedCategories({ onName }: { readonly onName: (id: Category["id"]) => void }) {
  const unnamed = useAnimalCounts<readonly UnnamedCategory[]>("/unnamed-categories", ["category", "pet"]);
  if (!unnamed?.length) return null;
  return (
    <ul aria-label="Numbers that animals use">
      {unnamed.map(({ id, ...count }) => (
        <li key={String(id)}>
          <button type="button" class="link" onClick={() => onName(id)}>
            Category {String(id)}, {countText(count)} {count.count === 1 ? "animal" : "animals"}: name it
          </button>
        </li>
      ))}
    </ul>
  );
}

export type CategoryField = Exclude<keyof NewCategory, "id">;

/** Request body with a form's category; an empty description is omitted. */
export function categoryFrom(values: Values<CategoryField>): Readonly<Record<CategoryField, unknown>> {
  const { name, description } = values;
  return { name, description: description === "" ? undefined : description };
}

export function checkCategory({ name }: Values<CategoryField>): Problems {
  return name === "" ? { name: "is required" } : {};
}

export function CategoryFields<Name extends string>({
  form,
}: {
  readonly form: FormState<Name | CategoryField>;
}) {
  return (
    <>
      <TextField form={form} name="name" label="Name" />
      <TextField
        form={form}
        name="description"
        label="Description"
        hint="Left empty, the category has none."
        isOptional
      />
    </>
  );
}
