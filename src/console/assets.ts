import { fileURLToPath } from "node:url";
import { type Asset, hashedAsset } from "../http/assets.ts";

/** What the console's pages load: the script, the style and the mark. */
export interface ConsoleAssets {
  readonly script: Asset;
  readonly style: Asset;
  readonly icon: Asset;
}

const WEB = fileURLToPath(new URL("web/", import.meta.url));

let built: Promise<ConsoleAssets> | undefined;

/** Bundled at the first request, once per process: a server that nobody opens in a browser never pays for it. */
export function consoleAssets(): Promise<ConsoleAssets> {
  built ??= buildAssets().catch((error: unknown) => {
    built = undefined;
    throw error;
  });
  return built;
}

async function buildAssets(): Promise<ConsoleAssets> {
  const { outputs } = await Bun.build({
    entrypoints: [`${WEB}main.tsx`, `${WEB}console.css`],
    target: "browser",
    minify: true,
    jsx: { runtime: "automatic", importSource: "preact", development: false },
  });
  const bytesOf = async (ending: string) => {
    const output = outputs.find(({ path }) => path.endsWith(ending));
    if (output === undefined) throw new Error(`The console's bundle has no ${ending}.`);
    return new Uint8Array(await output.arrayBuffer());
  };
  return {
    script: hashedAsset("console.js", "text/javascript; charset=utf-8", await bytesOf(".js")),
    style: hashedAsset("console.css", "text/css; charset=utf-8", await bytesOf(".css")),
    icon: hashedAsset("paw.svg", "image/svg+xml", await Bun.file(`${WEB}paw.svg`).bytes()),
  };
}
