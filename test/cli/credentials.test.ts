import { expect, test } from "bun:test";
import { isOpenToOthers } from "../../src/cli/remote/credentials.ts";

test("on systems with file modes, the mode decides whether others can read the credentials", () => {
  for (const mode of [0o100640, 0o100604, 0o100622]) expect(isOpenToOthers(mode, "linux")).toBe(true);
  expect(isOpenToOthers(0o100600, "darwin")).toBe(false);
  // On Windows, every writable file has this mode.
  expect(isOpenToOthers(0o100666, "win32")).toBe(false);
});
