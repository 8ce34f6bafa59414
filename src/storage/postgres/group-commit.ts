import type { BeforeSending, CreateOptions } from "../database.ts";
import { type Insertion, rowOf } from "../insertion.ts";
import type { Compared, SqlValue } from "../statement.ts";
import { arrayOf, createGroupInsert, type InsertedRow, placeOf } from "./group-insert.ts";
import { createGroupQueue, type Group, type GroupQueue, type GroupQueueOptions } from "./group-queue.ts";

/** Inserts a row and returns it. Returns nothing if there already is a valid idempotency record with the same name. */
type Insert = <Result>(
  insertion: Insertion<never, Result>,
  row: Pick<InsertedRow, "values" | "entry">,
  options: CreateOptions,
) => Promise<readonly Result[]>;

/** Makes a change, unless its row is locked or no longer has the given values. Returns an empty list if the change was not made. */
export type ChangeUnlocked = (
  compared: Required<Compared>,
  values: readonly SqlValue[],
  beforeSending: BeforeSending | undefined,
) => Promise<readonly unknown[]>;

/**
 * Collects the rows that arrive while a statement is running, and inserts all of them with the next statement, so that they share
 * one round trip and one flush to disk. Changes to existing rows are collected in the same way. Each kind of insertion or change
 * has only one running statement, so that identifiers follow the order in which rows arrive.
 */
export function createGroupCommit(options: GroupQueueOptions): {
  readonly insert: Insert;
  readonly changeUnlocked: ChangeUnlocked;
} {
  const insertions = new Map<Insertion<never, unknown>, GroupQueue<InsertedRow, bigint>>();
  const changes = new Map<Compared, GroupQueue<ChangedRow, unknown>>();
  return {
    async insert(insertion, { values, entry }, { record, beforeSending }) {
      const row = { values, entry, record };
      const queue = insertion.isUnique ? undefined : insertions.get(insertion);
      const insert = queue ?? createGroupQueue(createGroupInsert(insertion), options);
      // A row with a unique value is inserted alone. In a shared statement, a duplicate value would undo the insertion of the other
      // rows, and waiting for another transaction with the same value would delay them.
      if (!insertion.isUnique) insertions.set(insertion, insert);
      const [id] = await insert(row, beforeSending);
      return id === undefined ? [] : [rowOf(insertion, values, id)];
    },
    changeUnlocked(compared, values, beforeSending) {
      const queue = changes.get(compared) ?? createGroupQueue(createGroupChange(compared), options);
      changes.set(compared, queue);
      return queue({ values }, beforeSending);
    },
  };
}

interface ChangedRow {
  readonly values: readonly SqlValue[];
}

/** Creates statements that make several changes of one kind. The SQL text is the same for any number of changes. */
function createGroupChange({ appends, unlessLocked: { sql, decode } }: Required<Compared>) {
  const statement: Group<unknown>["statement"] = { sql, decode: (row) => [placeOf(row), decode(row)] };
  return (changes: readonly ChangedRow[]): Group<unknown> => {
    const values = changes[0]?.values.map((_, index) => arrayOf(changes.map((each) => each.values[index])));
    return { statement, values: values ?? [], appends };
  };
}
