import { describe, expect, test } from "bun:test";
import { answer, startFlawedServer } from "../client/flawed-server.ts";
import { typeAt, userWithKey, useUser } from "../wire/remote.ts";
import { useStore } from "../wire/server.ts";

// Tests what commands print on a terminal: tables that fit its width, the progress of a search, and the question before a removal.

const server = useStore();
const user = useUser(server);

const add = async (name: string) =>
  String((await user.json<{ id: number }>("pets", "add", name, "--category", "9223372036854775807")).id);
const plain = { NO_COLOR: "1" };

describe("a table on a terminal", () => {
  test("is at most as wide as the terminal: long columns are shortened, except the identifier", async () => {
    const names = [
      "Fluffy",
      `long ${"x".repeat(250)}`,
      "安".repeat(100),
      "👩‍👩‍👧‍👦".repeat(15) + "安".repeat(60),
      "a\x1bb".repeat(40),
    ];
    const ids: string[] = [];
    for (const name of names) ids.unshift(await add(name));
    for (const cols of [120, 80, 40, 24, 12]) {
      const { screen } = await user.onTerminal(["pets", "list", "--id", ids.join(",")], { cols, env: plain });
      const lines = screen.split("\r\n").slice(0, -1);
      expect(lines).toHaveLength(names.length + 1);
      for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(cols);
      expect(lines.slice(1).map((line) => line.split(" ")[0])).toEqual(ids);
      expect(lines.slice(1, 5).every((line) => line.includes("…"))).toBe(true);
    }
  });

  test("is not shortened in a pipe", async () => {
    const id = await add("y".repeat(200));
    expect((await user.run(["pets", "list", "--id", id])).out).toContain("y".repeat(200));
  });
});

describe("a search on a terminal", () => {
  /** Characters that move the cursor to the start of its line and clear the line. */
  const CLEAR = "\r\x1b[K";
  const isProgress = (text: string) => text.startsWith("Searching. Animals checked so far: ");
  /**
   * Runs a search against a server that answers each request with the next page and a `next` link. Unless `isEndless` is true, the
   * last page has no such link.
   */
  async function search(pages: readonly (readonly string[])[], isEndless: boolean, onText = {}) {
    const flawed = await startFlawedServer((_, count) => {
      const pets = pages[count - 1]?.map((name, index) => ({
        id: 100 - 10 * count - index,
        name,
        categoryId: 1,
      }));
      const next = { Link: `</v1/pets?name=rare&cursor=c${count}>; rel="next"` };
      return answer(200, pets ?? [], isEndless || count < pages.length ? next : {});
    });
    const searcher = await userWithKey(server, { PETSTORE_URL: `${flawed.origin}/v1` });
    const ended = await searcher.onTerminal(["pets", "list", "--name", "rare", "--limit", "3"], {
      env: plain,
      ...onText,
    });
    flawed.stop();
    return ended;
  }

  test("shows its progress, and whole lines of what it finds", async () => {
    const { code, screen } = await search([[], ["rare 1"], [], ["rare 2"]], false);
    const parts = screen.split(CLEAR);
    expect([code, parts.some(isProgress)]).toEqual([0, true]);
    const lines = parts.filter((part) => !isProgress(part)).join("");
    expect(lines).toMatch(/^ID +NAME +CATEGORY +STATUS\r\n80 +rare 1 +1 *\r\n60 +rare 2 +1 *\r\n$/);
  });

  test("says on a separate line that there are more", async () => {
    const { screen } = await search([["rare 1", "rare 2", "rare 3", "rare 4"]], true);
    expect(screen.split(CLEAR).join("\r\n").split("\r\n")).toContain(
      "There are more animals than shown. Set a higher --limit, or show all with --all.",
    );
  });

  test("ends with Ctrl-C", async () => {
    const { code } = await search([], true, typeAt("Animals checked so far:", "\x03"));
    expect(code).toBe(130);
  });
});

describe("a removal at a terminal", () => {
  const answer = (args: readonly string[], typed: string) =>
    user.onTerminal(args, { env: plain, ...typeAt("[y/N]", typed) });

  test("asks for confirmation, and only a yes confirms it", async () => {
    const id = await add("Fluffy");
    for (const no of ["\r", "n\r", "yess\r"]) {
      const { code, screen } = await answer(["pets", "rm", id], no);
      expect(code).toBe(1);
      expect(screen).toContain(`Remove animal ${id}? [y/N]`);
      expect(screen).toContain("petstore: Nothing was changed, because you did not confirm.");
    }
    const interrupted = await answer(["pets", "remove", id], "\x03");
    expect(interrupted.code).toBe(130);
    expect((await user.run(["pets", "get", id])).code).toBe(0);
    const { code, screen } = await answer(["pets", "remove", id], "y\r");
    expect([code, screen]).toEqual([0, expect.stringContaining(`Animal ${id} is removed.`)]);
  });

  test("does not ask with --yes or without a terminal", async () => {
    const { code, screen } = await user.onTerminal(["pets", "remove", await add("Rex"), "--yes"]);
    expect([code, screen.includes("?")]).toEqual([0, false]);
    expect((await user.run(["pets", "remove", await add("Max")])).code).toBe(0);
  });

  test("asks in the same way before cancelling an order, removing a webhook or revoking a key", async () => {
    const questions: [words: string[], question: string][] = [
      [["orders", "cancel", "1"], "Cancel order 1?"],
      [["webhooks", "rm", "1", "2"], "Remove webhook 1, webhook 2?"],
      [["categories", "rm", "1"], "Remove category 1?"],
      [
        ["keys", "revoke", "key_x", "--data-dir", server.store.dataDir],
        "Revoke key_x? This cannot be undone.",
      ],
    ];
    for (const [words, question] of questions)
      expect((await answer(words, "n\r")).screen).toContain(`${question} [y/N]`);
  });
});
