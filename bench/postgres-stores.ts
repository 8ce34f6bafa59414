import { readFileSync } from "node:fs";
import { SQL } from "bun";
import { type PostgresServer, startPostgres } from "../test/postgres/server.ts";
import { ANIMAL, ANIMALS } from "./animals.ts";
import type { Build } from "./our-commands.ts";
import { createKey, sha256 } from "./stores.ts";

/** One PostgreSQL with two template databases: ours, and one in the peers' schema. */
export interface PostgresStores {
  readonly key: string;
  /** The URL of a fresh copy. */
  freshUrl(whose: "ours" | "theirs"): Promise<string>;
  remove(): Promise<void>;
}

const FILL = `INSERT INTO pet (name, category_id, status) SELECT ${ANIMAL} FROM generate_series(1, ${ANIMALS}) AS n`;

export async function preparePostgresStores(build: Build): Promise<PostgresStores> {
  const server = await startPostgres();
  try {
    return await prepareOn(server, build);
  } catch (error) {
    await server.remove();
    throw error;
  }
}

async function prepareOn(server: PostgresServer, build: Build): Promise<PostgresStores> {
  const admin = new SQL(server.url, { max: 1 });
  const urlOf = (name: string) => Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
  await admin.unsafe("CREATE DATABASE ours");
  await admin.unsafe("CREATE DATABASE theirs");
  await build.run("migrate", "--database-url", urlOf("ours"));
  await runScript(urlOf("ours"), `SET search_path TO production; ${FILL}; ANALYZE`);
  const key = await createKey(build, "--database-url", urlOf("ours"));
  const schema = readFileSync(new URL("peers/schema.postgres.sql", import.meta.url), "utf8");
  const hash = `'\\x${sha256(key).toString("hex")}'`;
  const insertKey = `INSERT INTO api_key (id, token_hash, access) VALUES (1, ${hash}, 'read-write')`;
  await runScript(urlOf("theirs"), `${schema}; ${insertKey}; ${FILL}; ANALYZE`);
  let copies = 0;
  return {
    key,
    async freshUrl(whose) {
      const name = `${whose}_${++copies}`;
      await admin.unsafe(`CREATE DATABASE ${name} TEMPLATE ${whose}`);
      return urlOf(name);
    },
    async remove() {
      await admin.close();
      await server.remove();
    },
  };
}

async function runScript(url: string, script: string): Promise<void> {
  await using sql = new SQL(url, { max: 1 });
  await sql.unsafe(script).simple();
}
