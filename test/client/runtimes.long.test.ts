import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { cachedPackage } from "../../scripts/build/runtime.ts";
import { run } from "./installed.ts";
import { installVisit, REPORT, visitFresh } from "./visits.ts";

// Tests the published client on every supported release of Node and on Deno, both installed from npm's registry, and on Bun.
// in-a-page.long.test.ts tests it in Chromium.

const NODES = ["20.20.2", "22.23.3", "24.21.0"];
const DENO = "2.9.6";

let project: string;
beforeAll(async () => {
  project = await installVisit();
});

describe("@petstore/client, as it is packed, goes through a store", () => {
  test.each(NODES)("on Node %s", async (version) => {
    const archive = await cachedPackage(`node-${process.platform}-${process.arch}`, version);
    await run(project, "tar", "-xzf", archive, "package/bin/node");
    expect(await run(project, "package/bin/node", "--version")).toBe(`v${version}\n`);
    expect(
      await visitFresh((store) => run(project, "package/bin/node", "main.js", JSON.stringify(store))),
    ).toEqual(REPORT);
  });

  test("on Bun", async () => {
    const bun = [process.execPath, "main.js"];
    expect(await visitFresh((store) => run(project, ...bun, JSON.stringify(store)))).toEqual(REPORT);
  });

  test("on Deno, which may use the network and read the environment", async () => {
    const archive = await cachedPackage("@deno/linux-x64-glibc", DENO);
    await run(project, "tar", "-xzf", archive, "package/deno");
    const cache = `DENO_DIR=${project}/deno-cache`;
    const deno = ["env", cache, "package/deno", "run", "--no-prompt", "--allow-net", "--allow-env"];
    expect(await visitFresh((store) => run(project, ...deno, "main.js", JSON.stringify(store)))).toEqual(
      REPORT,
    );
  });

  test("on the runtimes that its README names", async () => {
    const [first, second, third] = NODES.map((version) => version.split(".")[0]);
    const [bun, deno] = [Bun.version, DENO].map((version) => version.replace(/\.\d+$/, ""));
    const readme = await Bun.file(join(project, "node_modules/@petstore/client/README.md")).text();
    expect(readme).toContain(
      `The client is tested on Node ${first}, ${second} and ${third}, Bun ${bun}, Deno ${deno} (\`--allow-net --allow-env\`)`,
    );
  });
});
