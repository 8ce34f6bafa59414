import type { Category } from "../../../categories/contract.ts";
import { announce } from "../components/announce.tsx";
import { Empty } from "../components/empty.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { ListTable } from "../components/list-table.tsx";
import { LongText, shortName } from "../components/long-text.tsx";
import { PagedList, usePage } from "../components/paged-list.tsx";
import { Screen } from "../components/screen.tsx";
import { callPage } from "../request.ts";

export function Categories() {
  const categories = usePage((query, signal) => callPage<Category>("/categories", { query, signal }));
  return (
    <Screen title="Categories">
      <div class="stack">
        <AddCategory onAdded={categories.reload} />
        <PagedList loaded={categories} what="categories" empty={<NoCategories />}>
          {({ items }) => <ListTable label="Categories" rows={items} columns={COLUMNS} />}
        </PagedList>
      </div>
    </Screen>
  );
}

function NoCategories() {
  return (
    <Empty title="No categories yet.">
      <p>Add the first one. Animals refer to a category by its number.</p>
    </Empty>
  );
}

const COLUMNS = {
  Name: ({ name }: Category) => (name.trim() === "" ? <em>No name</em> : <LongText text={name} />),
  Number: ({ id }: Category) => String(id),
  Description: ({ description }: Category) => (description ? <LongText text={description} /> : "–"),
  Actions: ({ id, name }: Category) => (
    <a href={`/animals?category=${id}`} aria-label={`Animals in ${shortName(name, `category ${id}`)}`}>
      Animals
    </a>
  ),
};

function AddCategory({ onAdded }: { readonly onAdded: () => Promise<void> }) {
  const form = useForm<"name" | "description">({
    id: "new-category",
    initial: { name: "", description: "" },
    check: ({ name }) => (name === "" ? { name: "is required" } : {}),
    async send({ name, description }, create) {
      const body = { name, description: description === "" ? undefined : description };
      const category = await create<Category>("/categories", body);
      announce(`${shortName(name, "The category")} added, with number ${category.id}`);
      document.getElementById("new-category-name")?.focus();
      void onAdded();
      return undefined;
    },
  });
  return (
    <section class="card">
      <h2>New category</h2>
      <Form form={form} label="Add a category" submitLabel="Add category" busyLabel="Adding…">
        <TextField form={form} name="name" label="Name" />
        <TextField form={form} name="description" label="Description" isOptional />
      </Form>
    </section>
  );
}
