import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorMessage } from "../../src/errors.ts";
import { backUpStore, verifyBackup } from "../../src/storage/backup/backup.ts";
import { createBackupFile } from "../../src/storage/backup/backup-file.ts";
import { restoreStore } from "../../src/storage/backup/restore.ts";
import { openDatabase } from "../../src/storage/open.ts";
import { DATABASE_NAMES, type DatabaseName, fileOf } from "../../src/storage/store-files.ts";
import { petstore } from "../wire/process.ts";
import { freshEmbeddedStore } from "../wire/stores.ts";

// A backup file may come from an attacker. `petstore restore` must refuse code in the file, and must not print its control
// characters on the terminal.

/** A name that would clear the screen, and then pretend to be a line from petstore. */
const HOSTILE = "evil\u001b[2J\u009b31m\npetstore: all is well";

const folder = mkdtempSync(join(tmpdir(), "petstore-forged-"));
const origin = { program: "test", startedAt: 0 };
const onProgress = () => {};

beforeAll(async () => {
  for (const name of DATABASE_NAMES) await (await openDatabase(name, { dataDir: folder })).close();
});
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
const freshPath = (name: string) => join(folder, `${name}-${count++}`);

function copyOfStore(from = folder): string {
  const copy = mkdtempSync(join(folder, "store-"));
  for (const name of DATABASE_NAMES) copyFileSync(fileOf(name, from), fileOf(name, copy));
  return copy;
}

/** Creates a backup file with valid checksums from a store in which `script` has changed one of the databases. */
async function forge(script: string, database: DatabaseName = "production", from = folder): Promise<string> {
  const file = freshPath("forged");
  const backup = createBackupFile(file, origin);
  const copy = copyOfStore(from);
  change(fileOf(database, copy), script);
  for (const name of DATABASE_NAMES) await backup.add(name, fileOf(name, copy), () => {});
  backup.close();
  return file;
}

async function soundBackup(): Promise<string> {
  const file = freshPath("sound");
  await backUpStore({ dataDir: folder, file, origin, onProgress });
  return file;
}

function change(file: string, script: string): void {
  const connection = new Database(file);
  connection.exec(script);
  connection.close();
}

/** Restores a backup that must be refused, and returns the error message. Also checks that no file is left behind. */
async function refusal(file: string): Promise<string> {
  const dataDir = freshPath("restored");
  const restoring = restoreStore({ dataDir, file, onProgress });
  const message = await restoring.then(() => "restored", errorMessage);
  expect(existsSync(dataDir) ? readdirSync(dataDir) : []).toEqual([]);
  return message;
}

test("a backup without the accounts is refused", async () => {
  const file = freshPath("forged");
  const backup = createBackupFile(file, origin);
  await backup.add("staging", fileOf("staging", folder), () => {});
  backup.close();
  expect(await refusal(file)).toBe(`${file} does not contain the accounts. Choose another backup.`);
});

/** Returns the error message that `petstore restore` prints for a backup that it refuses. */
async function printedRefusal(file: string): Promise<string> {
  const { code, out, err } = await petstore(await freshEmbeddedStore(), ["restore", file]);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toEndWith("\n");
  expect(err.slice(0, -1)).not.toMatch(/\p{Cc}/u);
  return err;
}

describe("petstore restore refuses a database with", () => {
  const FORGERIES: readonly (readonly [what: string, script: string, says: string])[] = [
    [
      "a trigger",
      "CREATE TRIGGER steal AFTER INSERT ON pet BEGIN DELETE FROM pet; END",
      "has the trigger steal, which petstore did not create",
    ],
    ["a view", "CREATE VIEW extra AS SELECT 1", "has the view extra, which petstore did not create"],
    ["an index", "CREATE INDEX slow ON pet (name)", "has the index slow, which petstore did not create"],
    ["a table", "CREATE TABLE more (x)", "has the table more, which petstore did not create"],
    ["a table less", "DROP TABLE store_order", "does not have the table store_order"],
    [
      "nothing that says which store it is of",
      "DROP TABLE store_identity",
      "does not have the table store_identity",
    ],
    [
      "a view in place of a table",
      "ALTER TABLE pet RENAME TO old; CREATE VIEW pet AS SELECT * FROM old",
      "which petstore did not create",
    ],
    [
      "a view in place of the journal",
      "ALTER TABLE migration RENAME TO old; CREATE VIEW migration AS SELECT * FROM old",
      "has the view migration, which petstore did not create",
    ],
  ];
  test.each(FORGERIES)("%s", async (_what, script, says) => {
    expect(await refusal(await forge(script))).toContain(says);
  });

  test("another definition of a table", async () => {
    const other = copyOfStore();
    const text = readFileSync(fileOf("production", other), "latin1");
    writeFileSync(fileOf("production", other), text.replaceAll(") STRICT", ")       "), "latin1");
    expect(await refusal(await forge("SELECT 1", "production", other))).toContain(
      "which petstore did not create",
    );
  });

  test("a trigger in any of the four", async () => {
    for (const name of DATABASE_NAMES) {
      const trigger = "CREATE TRIGGER steal AFTER INSERT ON migration BEGIN SELECT 1; END";
      expect(await refusal(await forge(trigger, name))).toContain(`${name} in `);
    }
  });
});

describe("petstore restore refuses a backup file with", () => {
  const FORGERIES: readonly (readonly [what: string, script: string, says: string])[] = [
    ["a view in place of its pieces", "DROP TABLE piece; CREATE VIEW piece AS SELECT 1", "view piece"],
    ["more tables", "CREATE TABLE more (x)", "has the table more"],
    ["a size beyond its own", "UPDATE entry SET bytes = 1000000000000", "damaged"],
    ["a size below zero", "UPDATE entry SET bytes = -1", "damaged"],
    ["a checksum that is none", `UPDATE entry SET sha256 = '${HOSTILE}'`, "damaged"],
    ["pieces beyond its size", "INSERT INTO piece SELECT name, 999, zeroblob(9) FROM entry", "checksum"],
  ];
  test.each(FORGERIES)("%s", async (_what, script, says) => {
    const file = await soundBackup();
    change(file, script);
    expect(await refusal(file)).toContain(says);
  });
});

describe("petstore restore prints no control characters from", () => {
  test("the name of a table", async () => {
    const printed = await printedRefusal(await forge(`CREATE TABLE "${HOSTILE}" (x)`));
    expect(printed).toContain(
      "has the table evil\\u001b[2J\\u009b31m\\npetstore: all is well, which petstore did not create",
    );
  });

  test("a migration, a database's name and a program's version", async () => {
    const migration = `INSERT INTO migration (number, name) SELECT max(number) + 1, '${HOSTILE}' FROM migration`;
    expect(await printedRefusal(await forge(migration))).toContain("newer version of petstore");
    for (const script of [
      `UPDATE entry SET name = '${HOSTILE}' WHERE name = 'staging'`,
      `UPDATE origin SET format = 99, program = '${HOSTILE}'`,
    ]) {
      const file = await soundBackup();
      change(file, script);
      expect(await printedRefusal(file)).toContain("\\u001b");
    }
  });
});

describe("a backup", () => {
  test("of a store that Litestream replicates can be restored, without Litestream's tables", async () => {
    const dataDir = copyOfStore();
    const tables =
      "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER); CREATE TABLE _litestream_lock (id INTEGER)";
    for (const name of DATABASE_NAMES) change(fileOf(name, dataDir), tables);
    const file = freshPath("replicated");
    await backUpStore({ dataDir, file, origin, onProgress });
    await restoreStore({ dataDir: freshPath("restored"), file, onProgress });
  });

  test("of a store with a foreign trigger is not made, because it could not be restored", async () => {
    const dataDir = copyOfStore();
    change(fileOf("production", dataDir), "CREATE TRIGGER audit AFTER INSERT ON pet BEGIN SELECT 1; END");
    const file = freshPath("never");
    await expect(backUpStore({ dataDir, file, origin, onProgress })).rejects.toThrow("has the trigger audit");
    expect(existsSync(file)).toBe(false);
  });

  test("that the disk has changed before it is read back is not made", async () => {
    const dataDir = copyOfStore();
    // The row must not be on the first pages of the file, because SQLite has already cached those.
    change(
      fileOf("messages", dataDir),
      `INSERT INTO message (id, message, environment, status, attempts, due_at, created_at)
        VALUES ('msg_1', '${"x".repeat(200_000)}remembered', 'production', 'delivered', 1, 0, 0)`,
    );
    const file = freshPath("never");
    const made = `${file}.partial/backup`;
    const damage = (title: string) => {
      if (title !== "verifying accounts") return;
      const bytes = readFileSync(made);
      bytes.write("forgotten", bytes.indexOf("remembered"));
      writeFileSync(made, bytes);
    };
    await expect(backUpStore({ dataDir, file, origin, onProgress: damage })).rejects.toThrow(
      "the checksum of messages does not match",
    );
    expect(readdirSync(folder).filter((name) => join(folder, name).startsWith(file))).toEqual([]);
  });

  test("is read back, and a byte that the disk has changed is found", async () => {
    const file = await soundBackup();
    await verifyBackup(file, onProgress);
    change(file, "UPDATE piece SET bytes = zeroblob(length(bytes)) WHERE name = 'messages'");
    await expect(verifyBackup(file, onProgress)).rejects.toThrow("the checksum of messages does not match");
  });
});
