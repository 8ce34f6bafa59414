import type { Category } from "../../../categories/contract.ts";
import { announce } from "../components/announce.tsx";
import { Empty } from "../components/empty.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { useForm } from "../components/form-state.ts";
import { Cell, ListTable, RowHeader } from "../components/list-table.tsx";
import { Loading } from "../components/loading.tsx";
import { LongText, shortName } from "../components/long-text.tsx";
import { Paging } from "../components/paging.tsx";
import { Screen } from "../components/screen.tsx";
import { call, callPage } from "../request.ts";
import { route } from "../router.ts";
import { useLoad } from "../use-load.ts";

export function Categories() {
  const cursor = route.value.query.get("cursor") ?? undefined;
  const categories = useLoad(
    (signal) => callPage<Category>("/categories", { query: { cursor }, signal }),
    [cursor ?? ""],
  );
  return (
    <Screen title="Categories">
      <div class="stack">
        <AddCategory onAdded={categories.reload} />
        <Loading loaded={categories} what="the categories">
          {({ items, next }) => (
            <>
              {items.length === 0 ? <NoCategories /> : <CategoryTable categories={items} />}
              <Paging next={next} what="categories" />
            </>
          )}
        </Loading>
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

function CategoryTable({ categories }: { readonly categories: readonly Category[] }) {
  return (
    <ListTable label="Categories" columns={["Name", "Number", "Description", "Actions"]}>
      {categories.map(({ id, name, description }) => (
        <tr key={String(id)}>
          <RowHeader label="Name">
            {name.trim() === "" ? <em>No name</em> : <LongText text={name} />}
          </RowHeader>
          <Cell label="Number">{String(id)}</Cell>
          <Cell label="Description">{description ? <LongText text={description} /> : "–"}</Cell>
          <Cell label="Actions">
            <a
              href={`/animals?category=${id}`}
              aria-label={`Animals in ${shortName(name, `category ${id}`)}`}
            >
              Animals
            </a>
          </Cell>
        </tr>
      ))}
    </ListTable>
  );
}

function AddCategory({ onAdded }: { readonly onAdded: () => Promise<void> }) {
  const form = useForm<"name" | "description">({
    id: "new-category",
    initial: { name: "", description: "" },
    check: ({ name }) => (name === "" ? { name: "is required" } : {}),
    async send({ name, description }, keyFor) {
      const body = { name, description: description === "" ? undefined : description };
      const category = await call<Category>("POST", "/categories", { body, idempotencyKey: keyFor(body) });
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
