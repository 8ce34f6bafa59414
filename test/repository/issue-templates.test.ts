import { describe, expect, test } from "bun:test";
import { PROJECT } from "./documents.ts";

// GitHub hides a form that it cannot parse.

const FOLDER = `${PROJECT}.github/ISSUE_TEMPLATE/`;
const KINDS = ["markdown", "textarea", "input", "dropdown", "checkboxes"];

interface Field {
  readonly type: string;
  readonly id?: string;
  readonly attributes: { readonly label?: string; readonly value?: string };
}

describe("issue templates", () => {
  for (const name of ["bug.yml", "idea.yml"]) {
    test(`${name} is a form: named, described, with fields of different ids`, async () => {
      const form = Bun.YAML.parse(await Bun.file(FOLDER + name).text()) as Record<string, unknown>;
      expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) });
      const body = form["body"] as readonly Field[];
      const asked = body.filter(({ type }) => type !== "markdown");
      expect(body.every(({ type }) => KINDS.includes(type))).toBe(true);
      expect(asked.every(({ id, attributes }) => /^[\w-]+$/.test(id ?? "") && attributes.label)).toBeTruthy();
      expect(new Set(asked.map(({ id }) => id)).size).toBe(asked.length);
    });
  }

  test("an empty issue may be opened, too", async () => {
    expect(Bun.YAML.parse(await Bun.file(`${FOLDER}config.yml`).text())).toEqual({
      blank_issues_enabled: true,
    });
  });
});
