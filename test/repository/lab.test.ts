import { expect, test } from "bun:test";
import { PROGRAMS } from "../../scripts/lab.ts";
import { outcomeOf } from "../wire/process.ts";
import { PROJECT } from "./documents.ts";

function lab(...args: readonly string[]) {
  const command = ["npm", "run", "--silent", "lab", "--", ...args];
  return outcomeOf(Bun.spawn(command, { cwd: PROJECT, stdout: "pipe", stderr: "pipe" }));
}

test("npm run lab -- --list names each program, and what it does", async () => {
  const { code, out } = await lab("--list");
  expect(code).toBe(0);
  const lines = Object.entries(PROGRAMS).map(([name, { does }]) => `${name.padEnd(15)}${does}\n`);
  expect(out).toBe(lines.join(""));
});

test("npm run lab passes a program its arguments, exits as the program does, and refuses an unknown program", async () => {
  const why = "release: 1.x is no version: three numbers are, such as 1.1.0.\n";
  expect(await lab("release", "1.x")).toMatchObject({ code: 1, out: "", err: expect.stringContaining(why) });
  const none = expect.stringContaining("There is no postman. Use one of:\naudit ");
  expect(await lab("postman")).toMatchObject({ code: 2, err: none });
});
