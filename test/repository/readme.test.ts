import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { messagesDocument, stagingDocument } from "../../src/api/openapi-documents.ts";
import { blocksOf, documents, PROJECT } from "./documents.ts";

// Tables, links and file names in documents are checked against the code.

const readme = await Bun.file(`${PROJECT}README.md`).text();

describe("README.md", () => {
  test("its table names every operation with its path, and marks the beta ones", () => {
    for (const { id, method, path, stability, deprecation } of [
      ...stagingDocument.operations,
      ...messagesDocument.operations,
    ]) {
      const mark = stability === undefined ? "" : ` (${stability})`;
      const name =
        deprecation === undefined ? `\`${id}\`${mark}` : `\`${id}\` (deprecated, ends 5 December 2030)`;
      const row = `\n| ${name} | \`${method} ${path}`;
      expect([id, readme.includes(row)]).toEqual([id, true]);
    }
  });
});

describe("ARCHITECTURE.md", () => {
  test("its listing has every file and folder of src/, and no other", async () => {
    const [listing = ""] = (await blocksOf("ARCHITECTURE.md", "")).filter((block) =>
      block.includes("\nsrc/\n"),
    );
    const named = [...listing.matchAll(/^ {2}((?:[\w-]+[/.]\S* ?)+)/gm)].flatMap(([, names = ""]) =>
      names.trim().split(" "),
    );
    const found = readdirSync(`${PROJECT}src`, { withFileTypes: true })
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .filter((name) => !name.endsWith(".test.ts"));
    expect(named.toSorted()).toEqual(found.toSorted());
  });

  test("the files it names exist", async () => {
    const text = await Bun.file(`${PROJECT}ARCHITECTURE.md`).text();
    const files = [...text.matchAll(/`([\w-]+(?:\/[\w.-]+)*\.(?:ts|tsx|js))`/g)].map(([, file = ""]) => file);
    expect(files.length).toBeGreaterThan(20);
    const all = [...new Bun.Glob("{src,client,test,bin,scripts}/**/*").scanSync({ cwd: PROJECT })];
    expect(files.filter((file) => !all.some((path) => `/${path}`.endsWith(`/${file}`)))).toEqual([]);
  });
});

describe("every document", () => {
  test("is found", () => {
    for (const path of ["README.md", "decisions/0001-bun-from-npm.md", "docs/guides/operating.md"])
      expect(documents).toContain(path);
  });

  for (const path of documents) {
    test(`${path}: its links and file names exist`, async () => {
      const text = await Bun.file(PROJECT + path).text();
      const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, to = ""]) =>
        join(dirname(path), to),
      );
      const files = [
        ...text.matchAll(
          /`((?:src|client|test|scripts|bin|openapi|decisions|docs|deploy|bench)\/[\w./-]+)`/g,
        ),
      ].map(([, to = ""]) => to);
      for (const to of [...links, ...files])
        expect([path, to, existsSync(PROJECT + to)]).toEqual([path, to, true]);
      for (const [, to = "", heading = ""] of text.matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)) {
        const there = to === "" ? text : await Bun.file(PROJECT + join(dirname(path), to)).text();
        expect([path, heading, headingsOf(there).includes(heading)]).toEqual([path, heading, true]);
      }
    });
  }
});

/** Anchors of the headings: "The first minute" is `the-first-minute`. */
function headingsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(/\s/g, "-"),
  );
}
