import { ServiceError } from "../../errors.ts";
import { createRevalidatedServer, type ServeRevalidated } from "../../http/static/assets.ts";
import type { StaticPage } from "../../http/static/page.ts";
import { FILES_PATH } from "../site.ts";
import { loadFiles } from "./guide-files.ts";

let servers: Promise<ReadonlyMap<string, ServeRevalidated>> | undefined;

/** A file that guides link to, as text. */
export const respondWithFile: StaticPage["respond"] = async (_addresses, { path, request }) => {
  servers ??= createServers();
  const serve = (await servers).get(path);
  if (serve === undefined) throw new ServiceError("not_found", `There is nothing at ${path}.`);
  return serve(request);
};

async function createServers(): Promise<ReadonlyMap<string, ServeRevalidated>> {
  const files = Object.entries(await loadFiles());
  return new Map(files.map(([name, asset]) => [`${FILES_PATH}/${name}`, createRevalidatedServer(asset)]));
}
