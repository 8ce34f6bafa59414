import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { ServiceError } from "../../errors.ts";
import { readWeights } from "../accept.ts";
import type { FileResponseData } from "../response.ts";
import type { StaticPage } from "./page.ts";

/** A script, a style or a picture of a page. Its name changes with its bytes, so that browsers may keep it for ever. */
export interface Asset {
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Gives a file the name that its bytes have earned: `console.js` becomes `console-3q2Z9fJx0a.js`. */
export function hashedAsset(name: string, type: string, bytes: Uint8Array<ArrayBuffer>): Asset {
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 10);
  const dot = name.lastIndexOf(".");
  return { name: `${name.slice(0, dot)}-${hash}${name.slice(dot)}`, type, bytes };
}

/** Answers with an asset, whichever way it is to be kept. */
export type GiveAsset = (
  asset: Asset,
  request: Request,
  keeping: Readonly<Record<string, string>>,
) => Promise<FileResponseData>;

/** Gives assets in the coding that the client takes, compressed once each. */
export function createAssetGiver(): GiveAsset {
  const compressed = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  function compress(asset: Asset, coding: Coding): Promise<Uint8Array<ArrayBuffer>> {
    const key = `${coding} ${asset.name}`;
    const done = compressed.get(key) ?? COMPRESS[coding](asset.bytes);
    compressed.set(key, done);
    done.catch(() => compressed.delete(key));
    return done;
  }

  return async (asset, request, keeping) => {
    const coding = codingFor(request.headers.get("accept-encoding"));
    const headers = {
      "Content-Type": asset.type,
      ...keeping,
      Vary: "Accept-Encoding",
      ...(coding && { "Content-Encoding": coding }),
    };
    const body = coding === undefined ? asset.bytes : await compress(asset, coding);
    return { status: 200, headers, body };
  };
}

/** Under a name that changes with the bytes. */
const FOR_EVER = { "Cache-Control": "public, max-age=31536000, immutable" };

/**
 * Serves assets below `folder`.
 *
 * @param load called at the first request; it must always resolve to the same assets
 */
export function assetPage(folder: string, load: () => Promise<readonly Asset[]>): StaticPage {
  const give = createAssetGiver();
  return {
    path: `${folder}/:name`,
    async respond(_addresses, { path, request }) {
      const name = path.slice(folder.length + 1);
      const asset = (await load()).find((candidate) => candidate.name === name);
      if (asset === undefined) throw new ServiceError("not_found", `There is nothing at ${path}.`);
      return give(asset, request, FOR_EVER);
    },
  };
}

const CODINGS = ["br", "gzip"] as const;
type Coding = (typeof CODINGS)[number];

/** Above this size the best compression would keep the first reader waiting for seconds. */
const SMALL_BYTES = 256 * 1024;

const COMPRESS: Record<Coding, (bytes: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>> = {
  br: async (bytes) => {
    const quality = bytes.byteLength <= SMALL_BYTES ? 11 : 6;
    return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  },
  gzip: async (bytes) => promisify(gzip)(bytes),
};

/** The best coding that a client takes (RFC 9110 §12.5.3); undefined for none. */
function codingFor(header: string | null): Coding | undefined {
  const weights = readWeights(header ?? "");
  return CODINGS.find((coding) => (weights.get(coding) ?? weights.get("*") ?? 0) > 0);
}
