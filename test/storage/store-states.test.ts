import { Database } from "bun:sqlite";
import { beforeAll, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { protect } from "../protect.ts";
import { createTestApp } from "../test-app.ts";
import { copyOf, freshDir, openingOf, removeDatabase } from "./used-store.ts";

// Each file of a store is put into every wrong state. The service must then refuse the store with one line that says what to do,
// and must not change a byte of it.

const NAMES = ["accounts", "production", "staging", "messages"] as const;
type Name = (typeof NAMES)[number];
/** The way in which the process ended: it closed the store, or it was killed and left its write-ahead logs behind. */
type End = "closed" | "killed";

const BOTH: readonly End[] = ["closed", "killed"];
const fileIn = (dataDir: string, name: Name) => join(dataDir, `${name}.sqlite`);

/** Starts a service on the store in a folder, and adds rows to each of its databases. */
async function use(dataDir: string, whileOpen: () => void = () => {}): Promise<void> {
  const app = await createTestApp({}, { dataDir });
  const [live, trial] = [await app.makeKey(), await app.makeKey({ environment: "staging" })];
  const body = '{"name":"Fluffy","categoryId":1}';
  const created = [
    await app.send("production", "POST /v1/pets", { key: live.token, body }),
    await app.send("staging", "POST /v1/pets", { key: trial.token, body }),
    await app.send("messages", "POST /messages", { key: live.token, body: '{"message":"hello"}' }),
  ];
  expect(created.map(({ status }) => status)).toEqual([201, 201, 202]);
  whileOpen();
  await app.close();
}

/**
 * Returns the hash of each file, keyed by name. The hash is empty for the index of a write-ahead log (-shm), because SQLite
 * rebuilds the index from the log.
 */
function contentsOf(dataDir: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(dataDir)
      .sort()
      .map((name) => [
        name,
        name.endsWith("-shm")
          ? ""
          : new Bun.CryptoHasher("sha256").update(readFileSync(join(dataDir, name))).digest("hex"),
      ]),
  );
}

const earlier = freshDir();
const later: Record<End, string> = { closed: "", killed: "" };
const other: Record<End, string> = { closed: "", killed: "" };
beforeAll(async () => {
  await use(earlier);
  const used = copyOf(earlier);
  await use(used);
  later.closed = copyOf(used);
  await use(used, () => {
    later.killed = copyOf(used);
  });
  const stranger = freshDir();
  await use(stranger);
  await use(stranger, () => {
    other.killed = copyOf(stranger);
  });
  other.closed = stranger;
});

/** A change to a file of the store, and the error message that petstore must then print. */
interface State {
  readonly apply: (file: string, name: Name, dataDir: string) => void;
  readonly says: RegExp;
  readonly ends?: readonly End[];
}

const removeLogs = (file: string) => {
  for (const log of [`${file}-wal`, `${file}-shm`]) rmSync(log, { force: true });
};
const anotherName = (name: Name): Name => (name === "staging" ? "production" : "staging");

const STATES: Readonly<Record<string, State>> = {
  missing: { apply: (file) => rmSync(file), says: /is missing/ },
  "missing with its log": { apply: (_, name, dataDir) => removeDatabase(dataDir, name), says: /is missing/ },
  "empty, of 0 bytes": { apply: (file) => truncateSync(file, 0), says: /is empty \(0 bytes\)/ },
  "cut off": {
    apply: (file) => truncateSync(file, statSync(file).size / 2),
    says: /is damaged \(database disk image is malformed\)/,
    ends: ["closed"],
  },
  "something else than a database": {
    apply: (file) => writeFileSync(file, "These are my notes.\n".repeat(500)),
    says: /not a petstore database/,
  },
  "a database of another program": {
    apply(file, name, dataDir) {
      removeDatabase(dataDir, name);
      const theirs = new Database(file);
      theirs.run("CREATE TABLE recipe (name TEXT)");
      theirs.close();
    },
    says: /belongs to another program: it has a table recipe\./,
  },
  "another file of the store": {
    apply(file, name, dataDir) {
      removeLogs(file);
      copyFileSync(fileIn(dataDir, anotherName(name)), file);
    },
    says: /contains the data of (staging|production)/,
  },
  "the same file of another store": {
    apply(file, name) {
      removeLogs(file);
      copyFileSync(fileIn(other.closed, name), file);
    },
    says: /belongs to a different store/,
  },
  "beside the log of another store": {
    apply: (file, name) => copyFileSync(`${fileIn(other.killed, name)}-wal`, `${file}-wal`),
    says: /has a log file \(\w+\.sqlite-wal\) that belongs to another database/,
  },
  "beside the log of another file": {
    apply: (file, name) => copyFileSync(`${fileIn(other.killed, anotherName(name))}-wal`, `${file}-wal`),
    says: /has a log file \(\w+\.sqlite-wal\) that belongs to another database/,
  },
  "beside a log that is none": {
    apply: (file) => writeFileSync(`${file}-wal`, "no log at all, by any measure, whatever it is"),
    says: /has a log file \(\w+\.sqlite-wal\) that belongs to another database/,
  },
  "without its log, whose index is there": {
    apply: (file) => rmSync(`${file}-wal`),
    says: /has no log file \(\w+\.sqlite-wal\)/,
    ends: ["killed"],
  },
  "older than it was": {
    apply(file, name) {
      removeLogs(file);
      copyFileSync(fileIn(earlier, name), file);
    },
    says: /is older than the version|is newer than \S+accounts\.sqlite, which was probably replaced/,
  },
  "written by a newer program": {
    apply(file) {
      const newer = new Database(file);
      newer.run("INSERT INTO migration (number, name) VALUES (99, 'from-the-future')");
      newer.close();
    },
    says: /was last used by a newer version of petstore/,
    ends: ["closed"],
  },
  "of an earlier baseline": {
    apply(file) {
      const earlier = new Database(file);
      earlier.run("UPDATE migration SET number = 1, name = 'pets'");
      earlier.close();
    },
    says: /was made by an earlier version of petstore, which applied migration 1, pets\..*move its animals and categories to a new store, but not its orders, accounts and keys, nor the animals' identifiers/,
    ends: ["closed"],
  },
};

async function refusalOf(dataDir: string): Promise<string> {
  const before = contentsOf(dataDir);
  const refusal = await openingOf(dataDir);
  expect(contentsOf(dataDir)).toEqual(before);
  return refusal;
}

for (const name of NAMES) {
  describe(`${name}.sqlite`, () => {
    for (const [title, { apply, says, ends = BOTH }] of Object.entries(STATES)) {
      for (const end of ends) {
        test(`${title}, in a store that was ${end}, is refused and left as it is`, async () => {
          const dataDir = copyOf(later[end]);
          apply(fileIn(dataDir, name), name, dataDir);
          const refusal = await refusalOf(dataDir);
          expect(refusal).toMatch(says);
          expect(refusal).toContain(`${name}.sqlite`);
          expect(refusal.split("\n")).toHaveLength(1);
          expect(refusal).toMatch(
            /petstore restore FILE.*petstore doctor --accept-loss|Use that newer version|docs\/guides\/operate/,
          );
        });
      }
    }
  });
}

describe("a file that may only be read", () => {
  for (const name of NAMES) {
    test(`${name}.sqlite is refused, with the advice to look at its permissions`, async () => {
      const dataDir = copyOf(later.closed);
      const file = fileIn(dataDir, name);
      protect(file, true);
      try {
        expect(await refusalOf(dataDir)).toBe(
          `${file} cannot be used: it cannot be opened for writing; check the permissions of the file and its folder.`,
        );
      } finally {
        protect(file, false);
      }
    });
  }
});

describe("something else than a file", () => {
  for (const end of ["", "-wal"]) {
    const place = `staging.sqlite${end}`;
    const things: Readonly<Record<string, (path: string) => void>> = {
      folder: (path) => mkdirSync(path),
      "link to itself": (path) => symlinkSync(place, path),
      "link to a file": (path) => {
        symlinkSync(fileIn(other.closed, "staging"), path);
      },
    };
    for (const [title, put] of Object.entries(things)) {
      test(`a ${title} in the place of ${place} is refused`, async () => {
        const dataDir = copyOf(later.closed);
        rmSync(join(dataDir, place), { force: true });
        put(join(dataDir, place));
        expect(await openingOf(dataDir)).toBe(
          `${fileIn(dataDir, "staging")} cannot be used: ${place} is not a file but a folder, a link or a device; put the file itself there.`,
        );
      });
    }
  }
});

describe("a store in order", () => {
  for (const end of BOTH) {
    test(`that was ${end} is served, even when a log is empty or was being created as the power failed`, async () => {
      const dataDir = copyOf(later[end]);
      if (end === "closed") writeFileSync(`${fileIn(dataDir, "staging")}-wal`, "");
      if (end === "closed") writeFileSync(`${fileIn(dataDir, "messages")}-wal`, new Uint8Array(512));
      await use(dataDir);
      await use(dataDir);
    });
  }

  test("gets a new file in place of one that never existed", async () => {
    const dataDir = freshDir();
    await use(dataDir);
    expect(existsSync(fileIn(dataDir, "messages"))).toBe(true);
  });
});
