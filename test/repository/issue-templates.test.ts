import { expect, test } from "bun:test";
import { PROJECT } from "./documents.ts";

// If GitHub cannot parse an issue form, it does not show the form.

const FOLDER = `${PROJECT}.github/ISSUE_TEMPLATE/`;

test.each(["bug.yml", "idea.yml"])(
  "%s is a form: named, described, with fields of different ids",
  async (name) => {
    const form = Bun.YAML.parse(await Bun.file(FOLDER + name).text());
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
    const { body } = form as { readonly body: readonly { readonly type: string; readonly id?: string }[] };
    const ids = body.filter(({ type }) => type !== "markdown").map(({ id }) => id);
    expect(ids).not.toContain(undefined);
    expect(new Set(ids).size).toBe(ids.length);
  },
);
