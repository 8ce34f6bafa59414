import type { Model, Operation } from "./model.ts";
import type { World } from "./world.ts";

/** Returns a function that sends one random request about categories. */
export function categoryWorkload({ random }: World, { resources, run }: Model) {
  const ids: number[] = [];

  function creating(): Operation {
    return {
      ...{ request: "POST /v1/categories", body: { name: "x" }, expected: [201] },
      events: ["category.created"],
      apply(id) {
        ids.push(id);
        resources.set(`category ${id}`, { name: "x", description: null });
      },
    };
  }
  function changing(id: number): Operation {
    const before = resources.get(`category ${id}`);
    const after = { name: random.pick(["x", "y"]), description: random.pick(["", null]) };
    return {
      ...{ request: `PATCH /v1/categories/${id}`, body: after, expected: [before ? 200 : 404] },
      events: Bun.deepEquals(before, after) ? [] : ["category.updated"],
      apply: () => void resources.set(`category ${id}`, after),
    };
  }
  function removing(id: number): Operation {
    return {
      request: `DELETE /v1/categories/${id}`,
      expected: [resources.has(`category ${id}`) ? 204 : 404],
      events: ["category.deleted"],
      apply: () => void resources.delete(`category ${id}`),
    };
  }

  return () => run(random.pick([creating, changing, removing])(random.pick([0, ...ids.slice(-4)])));
}
