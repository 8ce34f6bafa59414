import { Database as Connection } from "bun:sqlite";
import { afterAll, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DataVersion } from "../../src/storage/database.ts";
import { numberColumn } from "../../src/storage/row.ts";
import { connect, createQuery } from "../../src/storage/sqlite/connection.ts";
import { pragmaDataVersion } from "../../src/storage/sqlite/data-version.ts";
import { createReader, type Reader } from "../../src/storage/sqlite/reader.ts";
import { statement } from "../../src/storage/statement.ts";

// All database reads in the same turn of the event loop share a transaction. They see every commit that another connection made
// before them.

const folder = await mkdtemp(join(tmpdir(), "petstore-reader-"));
afterAll(() => rm(folder, { recursive: true }));

const count = statement("SELECT count(*) AS rows FROM pet", numberColumn("rows"));
let asked: number;
let elsewhere: Connection;
let reader: Reader;
let version: () => DataVersion;
beforeEach(async () => {
  const file = join(folder, `${Bun.randomUUIDv7()}.sqlite`);
  elsewhere = await connect(file);
  elsewhere.run("CREATE TABLE pet (id INTEGER PRIMARY KEY)");
  elsewhere.run("CREATE TABLE migration (number INTEGER PRIMARY KEY)");
  const versions = pragmaDataVersion(new Connection(file, { readonly: true, safeIntegers: true }));
  asked = 0;
  version = () => {
    asked++;
    return versions();
  };
  const connection = await connect(file);
  reader = createReader(connection, createQuery(connection), version, { onReadFailure: () => {} });
});
const insert = () => elsewhere.run("INSERT INTO pet DEFAULT VALUES");

test("a read asks for the version, and a read at a known one does not", () => {
  expect(reader.read(count, [])).toEqual([0]);
  expect(asked).toBe(1);
  const known = version();
  expect(reader.readAt(known)(count, [])).toEqual([0]);
  expect(asked).toBe(2);
});

test("a read sees everything committed before the version was read", () => {
  for (let rows = 1; rows < 5; rows++) {
    insert();
    expect(reader.readAt(version())(count, [])).toEqual([rows]);
    insert();
    expect(reader.read(count, [])).toEqual([++rows]);
  }
});

test("a read at an outdated version labels no data as newer than it is", () => {
  const old = reader.readAt(version());
  insert();
  // The data may be newer than the version that it is labelled with, but never older. The next read checks the version again.
  expect(old(count, [])).toEqual([1]);
  insert();
  expect(reader.readAt(version())(count, [])).toEqual([2]);
  reader.end();
  expect(old(count, [])).toEqual([2]);
});
