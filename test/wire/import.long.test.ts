import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../until.ts";
import { HEAD, lines, stored } from "./pet-lines.ts";
import { outcomeOf, type ServerProcess, startProcess } from "./process.ts";
import { type RemoteUser, userWithKey } from "./remote.ts";
import { send } from "./send.ts";
import { onBothEngines } from "./server.ts";
import { freshEmbeddedStore } from "./stores.ts";

const sorted = (text: string) => text.trim().split("\n").sort();

onBothEngines(({ startProcess }) => {
  let server: ServerProcess;
  let user: RemoteUser;
  beforeAll(async () => {
    server = await startProcess();
    user = await userWithKey(server);
  });
  afterAll(() => server.stop());

  /** Starts to import a file, and waits until the store has the first animals of the file. */
  async function begun(file: string, categoryId: number) {
    const child = user.begin(["pets", "import", file]);
    const first = `${server.production}/pets?limit=1&categoryId=${categoryId}`;
    await until(async () => (await send("GET", first, { key: user.key })).body !== "[]");
    return child;
  }

  describe("petstore pets import, interrupted", () => {
    test("by kill -9: the same command adds the rest, each line once", async () => {
      const file = join(user.folder, "killed.csv");
      writeFileSync(file, HEAD + lines(3_000, 2));
      const child = await begun(file, 2);
      child.kill("SIGKILL");
      await child.exited;
      const { code, out } = await user.run(["pets", "import", file, "--json"]);
      const { added, alreadyThere, refused, complete } = JSON.parse(out);
      expect({ code, stored: added + alreadyThere, refused, complete }).toEqual({
        code: 0,
        stored: 3_000,
        refused: 0,
        complete: true,
      });
      expect(alreadyThere).toBeGreaterThan(0);
      expect(await stored(server, user, 2)).toEqual(sorted(lines(3_000, 2)));
    });

    test("by kill -9 in an update by externalId: the next run adds and changes the rest, and a third run changes nothing", async () => {
      const file = join(user.folder, "nightly.csv");
      const night = (status: string, from: number) => {
        const all = Array.from(
          { length: 2_000 },
          (_, index) => `Ring ${index},3,${status},R-${from + index}\n`,
        );
        writeFileSync(file, `name,categoryId,status,externalId\n${all.join("")}`);
      };
      const counts = async () => JSON.parse((await user.run([...args, "--json"])).out);
      const args = ["pets", "import", file, "--update"];
      const isBegun = async (query: string) => {
        const address = `${server.production}/pets?limit=1&categoryId=3&${query}`;
        await until(async () => (await send("GET", address, { key: user.key })).body !== "[]");
      };
      for (const [status, from] of [
        ["available", 0],
        ["sold", 1_000],
      ] as const) {
        night(status, from);
        const child = user.begin(args);
        await isBegun(`status=${status}`);
        child.kill("SIGKILL");
        await child.exited;
        const { added, alreadyThere, changed, compared, refused, complete } = await counts();
        // The service may add some animals of the killed process only after the next run has compared the file with the store.
        const imported = added + alreadyThere + changed + compared.unchanged;
        expect({ imported, refused, complete }).toEqual({ imported: 2_000, refused: 0, complete: true });
        expect(await counts()).toMatchObject({ added: 0, changed: 0, compared: { unchanged: 2_000 } });
      }
      expect(await stored(server, user, 3)).toHaveLength(3_000);
    });
  });
});

describe("petstore pets import", () => {
  test("a service that disappears during an import is retried for some seconds, and then the import stops with one line", async () => {
    const dying = await startProcess({ store: await freshEmbeddedStore() });
    const unlucky = await userWithKey(dying);
    const file = join(unlucky.folder, "cut.csv");
    writeFileSync(file, HEAD + lines(50_000, 23));
    const child = unlucky.begin(["pets", "import", file]);
    const first = `${dying.production}/pets?limit=1&categoryId=23`;
    await until(async () => (await send("GET", first, { key: unlucky.key })).body !== "[]");
    await dying.kill();
    const { code, out, err } = await outcomeOf(child);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toMatch(
      /^petstore: POST \S+ .*\(4 attempts\).* [\d,]+ animals? (is|are) imported\. Run the same command again to continue\.\n$/,
    );
  });

  test("an import waits for a rate limit, and adds every line", async () => {
    const limited = await startProcess({
      store: await freshEmbeddedStore(),
      env: { PETSTORE_RATE_LIMIT: "4/1s" },
    });
    const patient = await userWithKey(limited);
    const { code, err } = await patient.run(["pets", "import", "-"], HEAD + lines(40, 19));
    expect([code, err]).toEqual([0, "Added 40 animals from standard input.\n"]);
    await limited.stop();
  });
});
