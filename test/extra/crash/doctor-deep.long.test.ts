import { expect, test } from "bun:test";
import { petstore } from "../../wire/process.ts";
import { freshEmbeddedStore } from "../../wire/stores.ts";
import { createCrashDisk } from "./disk-control.ts";

test("petstore doctor --deep reports a database whose pages cannot be read, and still checks the others", async () => {
  const store = await freshEmbeddedStore();
  expect((await petstore(store, ["migrate"])).code).toBe(0);
  const disk = createCrashDisk(store);
  const env = disk.mount();
  for (const number of [1, 2, 5, 9]) {
    disk.failCall({ call: "pread", file: "production", number, goesOn: true });
    const { code, out, err } = await petstore(store, ["doctor", "--deep", "--slowly"], { env });
    expect([code, err]).toEqual([1, ""]);
    const lines = out.trim().split("\n").slice(1);
    for (const line of lines) {
      const isProduction = line.includes("contents production");
      expect(line).toMatch(
        isProduction ? /^fail {2}contents production: \S/ : /^ok {4}contents \w+: no problem found/,
      );
    }
    expect(lines.length).toBeGreaterThanOrEqual(4);
  }
  disk.remove();
});
