import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorMessage } from "../../../src/errors.ts";
import type { Database } from "../../../src/storage/database.ts";
import { openDatabase } from "../../../src/storage/open.ts";
import { numberColumn } from "../../../src/storage/row.ts";
import type { Statement } from "../../../src/storage/statement.ts";
import type { DatabaseName } from "../../../src/storage/store-files.ts";
import { createRandom } from "../../random.ts";
import type { CutOff } from "./cut-off.ts";
import { type CountedFault, controlDisk, type ERRORS, readFolder, writeFolder } from "./disk-control.ts";
import { type Disk, diskAfter, diskAfterPowerLoss, readTrace } from "./power-loss.ts";

// The databases of a store, in the order in which a service opens them when it starts.
const NAMES: readonly DatabaseName[] = ["accounts", "messages", "production", "staging"];
const CALLS = ["pwrite", "fsync", "ftruncate", "unlink", "open"] as const;

const setting = (name: string) => process.env[`PETSTORE_CRASH_${name}`] ?? "";
const [dataDir, trace] = [setting("FOLDER"), setting("TRACE")];
/** A folder on a disk without simulated faults. The stores are opened here after each interruption. */
const sound = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "petstore-sound-"));
const control = controlDisk(setting("CONTROL"));
const [every = 1, seed = 1] = process.argv.slice(2).map(Number);
const random = createRandom(seed);

const ROWS = {
  accounts: ["account (email, role, created_at)", "$1, 'staff', 0", "email"],
  messages: ["delivery_attempt (delivery_id, at, duration)", "$1, 0, 0", "delivery_id"],
  production: ["pet (name, category_id)", "$1, 1", "name"],
  staging: ["pet (name, category_id)", "$1, 1", "name"],
} as const;
const id = numberColumn("id");
const insertInto = (name: DatabaseName): Statement<[text: string], number> => {
  const [table, values] = ROWS[name];
  return { sql: `INSERT INTO ${table} VALUES (${values}) RETURNING id`, decode: id };
};
const selectFrom = (name: DatabaseName): Statement<[text: string], number> => {
  const [table, , column] = ROWS[name];
  return { sql: `SELECT id FROM ${table.replace(/ .*/, "")} WHERE ${column} = $1`, decode: id };
};

interface Acknowledged {
  readonly name: DatabaseName;
  readonly text: string;
  readonly id: number;
  /** The number of bytes that had been written to the disk trace when the store acknowledged the row. */
  readonly traced: number;
}

interface Life {
  readonly acknowledged: readonly Acknowledged[];
  /** The files of the store after its last write (`killed`), and after the process has ended (`ended`). */
  readonly killed: Disk;
  readonly ended: Disk;
  readonly refusal: string | undefined;
}

let texts = 0;

/** Opens a store, adds a row to each of its databases, and closes it. Like a service, it closes the store even if a write fails. */
async function live(folder: string): Promise<Life> {
  const open: Database[] = [];
  const acknowledged: Acknowledged[] = [];
  let refusal: string | undefined;
  let isFatal = false;
  const onFatalIoError = () => {
    isFatal = true;
  };
  try {
    for (const name of NAMES) open.push(await openDatabase(name, { dataDir: folder, onFatalIoError }));
    for (const [index, name] of NAMES.entries()) {
      const text = `row ${++texts}`;
      const made = await open[index]?.run(insertInto(name), [text]).catch(() => []);
      for (const id of made ?? []) acknowledged.push({ name, text, id, traced: statSync(trace).size });
    }
  } catch (error) {
    refusal = errorMessage(error);
  }
  const killed = readFolder(folder);
  for (const database of open.reverse()) await database.close().catch(() => {});
  // After a failed commit, the service's process exits without closing its databases. The files then stay as they are.
  return { acknowledged, killed, ended: isFatal ? killed : readFolder(folder), refusal };
}

const problems: string[] = [];
const failed: Record<string, number> = {};
let stores = 0;

/**
 * Opens the files of an interrupted store twice, on a disk without faults, and compares their content with the acknowledged rows.
 */
async function check(title: string, left: Disk, acknowledged: readonly Acknowledged[]): Promise<void> {
  stores++;
  writeFolder(sound, left);
  for (const start of ["first", "second"]) {
    const { acknowledged: added, refusal } = await live(sound);
    const report = (text: string) => problems.push(`${title}, ${start} start: ${text}`);
    if (refusal !== undefined) return void report(refusal);
    if (added.length !== NAMES.length) report("a row could not be added");
    for (const { name, id } of added)
      if (acknowledged.some((one) => one.name === name && one.id >= id))
        report(`${name} gave identifier ${id}, which is not above the acknowledged ones`);
  }
  for (const { name, text, id } of acknowledged) {
    const database = await openDatabase(name, { dataDir: sound });
    const found = await database.read(selectFrom(name), [text]);
    await database.close();
    if (found.length !== 1 || found[0] !== id)
      problems.push(`${title}: ${name} ${text} is ${found.join() || "lost"}`);
  }
}

function remount(disk: Disk): void {
  writeFolder(dataDir, disk);
  truncateSync(trace, 0);
}

interface Base {
  readonly title: string;
  readonly disk: Disk;
  readonly acknowledged: readonly Acknowledged[];
}

/**
 * Runs a store again and again, with one failing call to the operating system in each run. The calls are of one kind, such as
 * writes.
 */
async function sweep(base: Base, call: CountedFault["call"], error: keyof typeof ERRORS): Promise<void> {
  for (let number = random.between(1, every); ; number += every) {
    remount(base.disk);
    const goesOn = random.chance(0.5);
    control.failCall({ call, error, file: "", number, goesOn });
    const { acknowledged, ended } = await live(dataDir);
    const hasFailed = control.failedCalls() > 0;
    control.failCall(undefined);
    if (!hasFailed) return;
    failed[call] = (failed[call] ?? 0) + 1;
    const title = `a ${base.title} store, ${call} ${number}${goesOn ? " and on" : ""} fails with ${error}`;
    const all = [...base.acknowledged, ...acknowledged];
    await check(title, ended, all);
    await check(`${title}, power loss`, diskAfterPowerLoss(base.disk, readFileSync(trace), random), all);
  }
}

/** Checks the files that a kill or a power loss would leave behind after each file operation of a run. */
async function cut(base: Base): Promise<void> {
  remount(base.disk);
  const { acknowledged } = await live(dataDir);
  const steps = [...readTrace(readFileSync(trace))];
  for (let number = random.between(1, every); number <= steps.length; number += every) {
    const before = steps.slice(0, number);
    const traced = before.at(-1)?.end ?? 0;
    const all = [...base.acknowledged, ...acknowledged.filter((one) => one.traced <= traced)];
    const title = `a ${base.title} store, after ${number} of ${steps.length} calls`;
    await check(`${title}, killed`, diskAfter(base.disk, before, random, 1), all);
    await check(
      `${title}, power loss`,
      diskAfter(base.disk, before, random, random.pick([0, random.next()])),
      all,
    );
  }
}

await live(dataDir);
const { killed, ended, acknowledged } = await live(dataDir);
const bases: readonly Base[] = [
  { title: "closed", disk: ended, acknowledged },
  { title: "killed", disk: killed, acknowledged },
];
for (const base of bases) {
  await cut(base);
  for (const call of CALLS) for (const error of ["EIO", "ENOSPC"] as const) await sweep(base, call, error);
}
rmSync(sound, { recursive: true, force: true });
const result: CutOff = { problems, stores, failed };
console.log(JSON.stringify(result));
process.exit(0);
