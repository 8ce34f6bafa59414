import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { ServiceError } from "../../errors.ts";
import { readWeights } from "../accept.ts";
import { isUnchanged } from "../preconditions.ts";
import type { FileResponseData } from "../response.ts";
import type { StaticPage } from "./page.ts";

export interface Asset {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly chunks?: readonly Chunk[];
}

/** A part of a script that is kept in a separate file. The script imports the file under this `name`. */
export interface Chunk extends Asset {
  /** True if the script imports the chunk statically. Any other chunk is loaded later. */
  readonly isAtStart: boolean;
}

/** Adds a hash of the content to a file's name: `console.js` becomes `console-3q2Z9fJx0a.js`. */
export function hashedAsset(name: string, type: string, bytes: Uint8Array<ArrayBuffer>): Asset {
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 10);
  const dot = name.lastIndexOf(".");
  return { name: `${name.slice(0, dot)}-${hash}${name.slice(dot)}`, type, bytes };
}

/**
 * Serves assets in the best content coding that the client accepts. Each asset is compressed only once per coding.
 *
 * @param bestBytesMax the best compression is used only for assets up to this size, in bytes
 */
export function createAssetServer(bestBytesMax = BEST_COMPRESSION_BYTES_MAX) {
  const compressed = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  function compress(asset: Asset, coding: Coding): Promise<Uint8Array<ArrayBuffer>> {
    const key = `${coding} ${asset.name}`;
    const done = compressed.get(key) ?? COMPRESS[coding](asset.bytes, bestBytesMax);
    compressed.set(key, done);
    done.catch(() => compressed.delete(key));
    return done;
  }

  return async (
    asset: Asset,
    request: Request,
    caching: FileResponseData["headers"],
  ): Promise<FileResponseData> => {
    // Chooses the best content coding that the client accepts (RFC 9110 §12.5.3). Undefined if the client accepts none of
    // `CODINGS`.
    const weights = readWeights(request.headers.get("accept-encoding") ?? "");
    const coding = CODINGS.find((one) => (weights.get(one) ?? weights.get("*") ?? 0) > 0);
    const headers = {
      "Content-Type": asset.type,
      ...caching,
      Vary: "Accept-Encoding",
      ...(coding && { "Content-Encoding": coding }),
    };
    const body = coding === undefined ? asset.bytes : await compress(asset, coding);
    return { status: 200, headers, body };
  };
}

export type ServeRevalidated = (request: Request) => Promise<FileResponseData>;

/** Serves an asset at a fixed address. The client must revalidate the asset at each use. */
export function createRevalidatedServer(asset: Asset, bestBytesMax?: number): ServeRevalidated {
  const serve = createAssetServer(bestBytesMax);
  const tag = `"${asset.name}"`;
  // The entity tag is weak, because it is the same for the compressed and the uncompressed content.
  const caching = { "Cache-Control": "no-cache", ETag: `W/${tag}` };
  return async (request) => {
    if (isUnchanged(request, tag))
      return { status: 304, headers: { ...caching, Vary: "Accept-Encoding" }, body: null };
    return serve(asset, request, caching);
  };
}

/**
 * Turns the best compression off (a size limit of 0 bytes), because it would take too long for a text that is created on request.
 */
const NEVER_BEST = 0;

/**
 * Serves a text that is created on request, and is identified by a cache key. Only the compressed text of the most recent cache
 * key is kept, because nearly all clients request the same text.
 */
export function createTextServer(name: string, type: string) {
  let last: { readonly key: string; readonly serve: ServeRevalidated } | undefined;
  return async (
    key: string,
    textOf: () => string | Promise<string>,
    request: Request,
  ): Promise<FileResponseData> => {
    if (last?.key !== key) {
      const asset = hashedAsset(name, type, Buffer.from(await textOf()));
      last = { key, serve: createRevalidatedServer(asset, NEVER_BEST) };
    }
    return last.serve(request);
  };
}

/**
 * Caching headers of an asset whose name contains a hash of its content. Browsers may cache such an asset permanently (RFC 8246).
 */
const IMMUTABLE = { "Cache-Control": "public, max-age=31536000, immutable" };

/**
 * Serves a folder of assets.
 *
 * @param load a function that is called at each request, and must always resolve to the same assets
 */
export function assetPage(folder: string, load: () => Promise<readonly Asset[]>): StaticPage {
  const serve = createAssetServer();
  return {
    path: `${folder}/:name`,
    async respond(_addresses, { path, request }) {
      const name = path.slice(folder.length + 1);
      const assets = (await load()).flatMap((asset) => [asset, ...(asset.chunks ?? [])]);
      const asset = assets.find((candidate) => candidate.name === name);
      if (asset === undefined) throw new ServiceError("not_found", `There is nothing at ${path}.`);
      return serve(asset, request, IMMUTABLE);
    },
  };
}

const CODINGS = ["br", "gzip"] as const;
type Coding = (typeof CODINGS)[number];

/** Maximum size of a file for the best compression. For a larger file, it would delay the first response by seconds. */
const BEST_COMPRESSION_BYTES_MAX = 256 * 1024;

const COMPRESS = {
  br(bytes: Uint8Array, bestBytesMax: number) {
    const quality = bytes.byteLength <= bestBytesMax ? 11 : 6;
    return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  },
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes),
};
