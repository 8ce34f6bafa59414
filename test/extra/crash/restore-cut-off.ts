// Interrupts `petstore restore --replace` at each operation that changes a file, by a kill, by Ctrl-C, or by a failure of the
// operation. Then follows the advice that the next start of petstore prints.
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorMessage } from "../../../src/errors.ts";
import { backUpStore } from "../../../src/storage/backup/backup.ts";
import { restoreStore } from "../../../src/storage/backup/restore.ts";
import type { Database } from "../../../src/storage/database.ts";
import { openDatabase } from "../../../src/storage/open.ts";
import { numberColumn, textColumn } from "../../../src/storage/row.ts";
import { type Statement, statement } from "../../../src/storage/statement.ts";
import { DATABASE_NAMES } from "../../../src/storage/store-files.ts";
import { createRandom } from "../../random.ts";
import { PROGRAM } from "../../wire/process.ts";
import { environment, freshEmbeddedStore } from "../../wire/stores.ts";
import { createCrashDisk } from "./disk-control.ts";

export interface RestoresCutOff {
  readonly problems: readonly string[];
  /** The number of interrupted restores, keyed by the kind of interruption. */
  readonly interrupted: Readonly<Record<Interruption, number>>;
}

const INTERRUPTIONS = ["SIGKILL", "SIGINT", "pwrite", "rename"] as const;
type Interruption = (typeof INTERRUPTIONS)[number];

const FINISH = "run the command again: petstore restore FILE --replace";

const insertPet: Statement<[name: string], number> = statement(
  "INSERT INTO pet (name, category_id) VALUES ($1, 1) RETURNING id",
  numberColumn("id"),
);
const selectNames = statement("SELECT name FROM pet ORDER BY id", textColumn("name"));

async function withProduction<Result>(
  dataDir: string,
  work: (production: Database) => Result | Promise<Result>,
): Promise<Result> {
  const production = await openDatabase("production", { dataDir });
  try {
    return await work(production);
  } finally {
    await production.close();
  }
}

const add = (dataDir: string, name: string) =>
  withProduction(dataDir, async (production) => (await production.run(insertPet, [name]))[0] ?? 0);
const namesIn = (dataDir: string) =>
  withProduction(dataDir, async ({ read }) => (await read(selectNames, [])).join());

/**
 * @param every the interval between interrupted file operations: with 1, each one is interrupted; with 5, every fifth one, starting
 * at a random one
 */
export async function cutOffRestores(every: number, seed: number): Promise<RestoresCutOff> {
  const random = createRandom(seed);
  const store = await freshEmbeddedStore();
  const { dataDir } = store;
  const [made, later] = [freshFolder(), freshFolder()];
  const disk = createCrashDisk(store);
  const file = join(made, "backup");
  for (const name of DATABASE_NAMES) await (await openDatabase(name, { dataDir })).close();
  await add(dataDir, "in the backup");
  await backUpStore({ dataDir, file, origin: { program: "test", startedAt: 0 }, onProgress: () => {} });
  const last = await add(dataDir, "later");
  cpSync(dataDir, later, { recursive: true });

  const problems: string[] = [];
  const interrupted: Record<Interruption, number> = { SIGKILL: 0, SIGINT: 0, pwrite: 0, rename: 0 };

  /** Runs `petstore restore`. Resolves to its exit code and its message. */
  async function restore(): Promise<readonly [code: number, says: string]> {
    const child = Bun.spawn([...PROGRAM.command, "restore", file, "--replace"], {
      cwd: PROGRAM.cwd,
      env: { ...environment(store), ...disk.mount() },
      stdio: ["ignore", "ignore", "pipe"],
    });
    return [await child.exited, await child.stderr.text()];
  }

  async function interruptAt(number: number, by: Interruption): Promise<boolean> {
    rmSync(dataDir, { recursive: true });
    cpSync(later, dataDir, { recursive: true });
    if (by === "SIGINT" || by === "SIGKILL") disk.signalAt(number, by);
    else disk.failCall({ call: by, file: "", number, goesOn: false });
    const [code, says] = await restore();
    const isInterrupted = disk.failedCalls() > 0;
    disk.failCall(undefined);
    if (!isInterrupted) return false;
    interrupted[by]++;
    const report = (text: string) => void problems.push(`call ${number}, ${by}: ${text}`);
    await checkInterrupted(by, code, says).catch((error: unknown) => report(errorMessage(error)));
    return true;
  }

  async function checkInterrupted(by: Interruption, code: number, says: string): Promise<void> {
    const isOver = code === 0;
    const isLeft = readdirSync(dataDir).some((name) => /^(restoring|replacing)$/.test(name));
    if (isLeft && by !== "SIGKILL" && !says.includes(FINISH))
      throw new Error(`it left a folder, and says ${says}`);
    if (by === "SIGINT" && !isOver && !says.includes("Interrupted. Nothing was replaced."))
      throw new Error(`it ended with ${code}, and says ${says}`);
    const found = await namesIn(dataDir).catch(errorMessage);
    const isWhole = found === (isOver ? "in the backup" : "in the backup,later");
    const isReplaced = found === "in the backup" && by === "SIGKILL";
    if (!isWhole && !isReplaced && !(isLeft && found.includes(FINISH)))
      throw new Error(`the next start finds ${found}`);
    // Restores the backup again, as the error message of the failed start advises.
    if (!isOver) await restoreStore({ dataDir, file, isReplacing: true, onProgress: () => {} });
    const names = await namesIn(dataDir);
    if (names !== "in the backup") throw new Error(`restored again, it has ${names}`);
    const kept = readdirSync(dataDir).filter((name) => name.startsWith("replaced-"));
    const old = await Promise.all(kept.map((name) => namesIn(copyOf(join(dataDir, name)))));
    if (!old.includes("in the backup,later")) throw new Error(`what was replaced is not kept: ${old}`);
    const next = await add(dataDir, "next");
    if (next <= last) throw new Error(`identifier ${next} was given out before`);
  }

  try {
    for (const by of INTERRUPTIONS)
      for (let number = random.between(1, every); await interruptAt(number, by); number += every);
    return { problems, interrupted };
  } finally {
    disk.remove();
    for (const folder of [dataDir, made, later]) rmSync(folder, { recursive: true, force: true });
  }
}

function freshFolder(): string {
  return mkdtempSync(join(tmpdir(), "petstore-restores-"));
}

/** Copies a folder before it is opened, because opening a store writes to its folder. */
function copyOf(folder: string): string {
  const copy = freshFolder();
  cpSync(folder, copy, { recursive: true });
  return copy;
}
