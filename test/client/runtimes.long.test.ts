import { beforeAll, describe, expect, test } from "bun:test";
import { cachedPackage } from "../../scripts/build/runtime.ts";
import { run } from "./installed.ts";
import { installVisit, REPORT, visitFresh } from "./visits.ts";

// The published module on every supported release of Node, from npm's registry; on Bun and in Chromium:
// in-a-page.long.test.ts.

let project: string;
beforeAll(async () => {
  project = await installVisit();
});

describe("@petstore/client, as it is packed, goes through a store", () => {
  test.each(["20.20.2", "22.23.3", "24.21.0"])("on Node %s", async (version) => {
    const archive = await cachedPackage(`node-${process.platform}-${process.arch}`, version);
    await run(project, "tar", "-xzf", archive, "package/bin/node");
    expect(await run(project, "package/bin/node", "--version")).toBe(`v${version}\n`);
    expect(
      await visitFresh((store) => run(project, "package/bin/node", "main.js", JSON.stringify(store))),
    ).toEqual(REPORT);
  });
});
