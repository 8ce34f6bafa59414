import { join } from "node:path";

// The wire suite's part "on PostgreSQL", with settings of the tests that lead it elsewhere.

/** @returns what it wrote, from the first failure on; empty when every test passed */
export async function runWireSuite(env: Readonly<Record<string, string>>): Promise<string> {
  const root = join(import.meta.dir, "../../..");
  const files = [...new Bun.Glob("test/wire/*.test.ts").scanSync(root)].filter(
    (file) => !file.includes(".long."),
  );
  const tests = Bun.spawn(
    [
      process.execPath,
      "test",
      "--timeout=120000",
      "--no-isolate",
      "-t",
      "on PostgreSQL",
      ...files.map((file) => `./${file}`),
    ],
    {
      cwd: root,
      env: { ...process.env, PETSTORE_TEST_POSTGRES: "", ...env },
      stdout: "ignore",
      stderr: "pipe",
    },
  );
  const [code, log] = await Promise.all([tests.exited, new Response(tests.stderr).text()]);
  const passed = Number(/^ *(\d+) pass$/m.exec(log)?.[1]);
  return code === 0 && passed > 100 ? "" : log.slice(Math.max(0, log.search(/^\(fail\)|^error/m)));
}
