import { fileURLToPath } from "node:url";
import { type Asset, hashedAsset } from "../http/assets.ts";

/** What the reference page is made of, in the order in which it loads. */
export interface ReferenceAssets {
  readonly style: Asset;
  readonly icon: Asset;
  readonly library: Asset;
  readonly script: Asset;
}

const SCRIPT = "text/javascript; charset=utf-8";

let built: Promise<ReferenceAssets> | undefined;

/** Builds them at the first call, for every service of this process. */
export function loadReferenceAssets(): Promise<ReferenceAssets> {
  built ??= build().catch((error: unknown) => {
    built = undefined;
    throw error;
  });
  return built;
}

async function build(): Promise<ReferenceAssets> {
  const [style, icon, library, script] = await Promise.all([
    bundle("reference.css"),
    Bun.file(pathOf("./web/paw.svg")).bytes(),
    Bun.file(fileURLToPath(import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js"))).bytes(),
    bundle("reference.ts"),
  ]);
  return {
    style: hashedAsset("reference.css", "text/css; charset=utf-8", style),
    icon: hashedAsset("paw.svg", "image/svg+xml", icon),
    library: hashedAsset("swagger-ui.js", SCRIPT, library),
    script: hashedAsset("reference.js", SCRIPT, script),
  };
}

async function bundle(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const { outputs } = await Bun.build({
    entrypoints: [pathOf(`./web/${name}`)],
    target: "browser",
    format: "esm",
    minify: true,
  });
  const [output] = outputs;
  if (output === undefined) throw new Error(`${name} has come to nothing.`);
  return new Uint8Array(await output.arrayBuffer());
}

function pathOf(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
