import { openDatabase } from "../../src/storage/open.ts";
import { freshDatabaseUrl } from "../postgres/database.ts";
import { describeStorage } from "./behaviour.ts";

describeStorage("PostgreSQL", async () => {
  const databaseUrl = await freshDatabaseUrl();
  const reopen = () => openDatabase("production", { dataDir: "", databaseUrl });
  return { database: await reopen(), reopen };
});
