import type { Model, Operation } from "./model.ts";
import type { World } from "./world.ts";

/** Requests about categories, one after the other. */
export function categoryWorkload({ random }: World, { categories, run }: Model) {
  let isBusy = false;
  const someId = () => random.pick([0, ...categories.keys()]);

  function creating(): Operation {
    return {
      ...{ request: "POST /v1/categories", body: { name: "x" }, expected: [201] },
      events: ["category.created"],
      apply: ({ id }) => void categories.set(id, { name: "x", description: null }),
    };
  }
  function changing(id: number): Operation {
    const before = categories.get(id);
    const after = { name: random.pick(["x", "y"]), description: random.pick(["", null]) };
    return {
      ...{ request: `PATCH /v1/categories/${id}`, body: after, expected: [before ? 200 : 404] },
      events: Bun.deepEquals(before, after) ? [] : ["category.updated"],
      apply: () => void categories.set(id, after),
    };
  }
  function removing(id: number): Operation {
    return {
      ...{ request: `DELETE /v1/categories/${id}`, expected: [categories.has(id) ? 204 : 404] },
      events: ["category.deleted"],
      apply: () => void categories.delete(id),
    };
  }

  return {
    async step(): Promise<void> {
      if (isBusy) return;
      isBusy = true;
      const operation = random.pick([creating, changing, removing])(someId());
      const done = () => {
        isBusy = false;
      };
      await run({ ...operation, done });
    },
  };
}
