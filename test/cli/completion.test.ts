import { describe, expect, test } from "bun:test";
import type { Option } from "commander";
import type { Command } from "../../src/cli/command.ts";
import { candidatesFor } from "../../src/cli/completion/candidates.ts";
import { createProgram } from "../../src/cli/program.ts";
import { everyCommand } from "./commands.ts";

const commands = everyCommand(await createProgram());

/** Returns the words that completion offers for the last word of a command line. */
async function offered(line: string): Promise<readonly string[]> {
  const program = await createProgram();
  return candidatesFor(program, line.split(" ").slice(1)).map(([word]) => word);
}

describe("petstore __complete", () => {
  test("every command is offered within its group, and every option after its command", async () => {
    for (const { path, command } of commands) {
      if (path.includes(" ")) expect(await offered(path)).toEqual([command.name()]);
      const options = [...command.options.map(({ long }) => long ?? ""), "--help"];
      expect(await offered(`${path} -`)).toEqual(options);
    }
  });

  test("every value of a fixed list is offered, and the commands of each group, even after an alias", async () => {
    const lines = commands.flatMap(linesOf);
    expect(lines.length).toBeGreaterThan(150);
    for (const [line, expected] of lines) expect([line, await offered(line)]).toEqual([line, expected]);
  });

  test("the shell completes file names, and nothing is offered for identifiers and new values", async () => {
    const values = commands.flatMap(({ path, command }) => [
      ...command.registeredArguments.map(
        (argument, index) => [`${path} ${"1 ".repeat(index)}`, argument.name()] as const,
      ),
      ...command.options
        .filter(({ required, optional }) => required || optional)
        .map(({ long, flags }) => [`${path} ${long} `, / <(.+)>/.exec(flags)?.[1] ?? ""] as const),
    ]);
    for (const [line, name] of values) {
      const isFile = /^(file|path|dir)$/.test(name);
      const found = (await offered(line)).filter((word) => word === ":file");
      expect([line, found]).toEqual([line, isFile ? [":file"] : []]);
      if (/^(id|ids|email|delivery)$/.test(name)) expect([line, await offered(line)]).toEqual([line, []]);
    }
  });

  test.each([
    ["petstore pets l", "list"],
    ["petstore pets cr", "create"],
    ["petstore help pets ex", "export"],
    ["petstore pets ls --status=s", "--status=sold"],
    ["petstore pets list --status sold,p", ""],
    ["petstore pets list --id 1,2", ""],
    ["petstore pets show 1 2", ""],
    ["petstore orders place 1 2", ""],
    ["petstore events --type pet.created,order.c", "pet.created,order.completed pet.created,order.cancelled"],
    ["petstore mcp --tools pets,we", "pets,webhooks"],
    ["petstore accounts role --data-dir x anne@example.com o", "owner"],
    ["petstore pets import --refused=x", ":file"],
    ["petstore nonsense ", ""],
    ["petstore categories update 1 --no-description --na", "--name"],
  ])("%s⇥ offers %s", async (line, words) => {
    expect((await offered(line)).join(" ")).toBe(words);
  });

  test("a mistake before the word is reported by nothing but an exception", async () => {
    await expect(offered("petstore pets list --limit none --status ")).rejects.toThrow("above 0");
    await expect(offered("petstore --version pets ")).rejects.toThrow("1.0.0");
  });
});

/** Returns one test case for each possible value of an option or argument, and for each word of a group of commands. */
function linesOf({ path, command }: { path: string; command: Command }): readonly Case[] {
  const above = path.slice(0, path.length - command.name().length);
  const names = command.commands.map((one) => one.name());
  const cases: Case[] = [
    ["", names],
    ...command.options.flatMap((option): Case[] =>
      [option.long, option.short].flatMap((flag) => (flag ? [[`${flag} `, choicesOf(option)]] : [])),
    ),
    ...command.registeredArguments.map(
      (argument, index): Case => ["1 ".repeat(index), argument.argChoices ?? []],
    ),
  ];
  return [path, ...command.aliases().map((alias) => above + alias)].flatMap((words) =>
    cases.flatMap(([rest, offers]): Case[] => (offers.length > 0 ? [[`${words} ${rest}`, offers]] : [])),
  );
}

type Case = readonly [line: string, offers: readonly string[]];

function choicesOf({ argChoices, flags }: Option): readonly string[] {
  return argChoices ?? / <(.*[|].*)>/.exec(flags)?.[1]?.split("|") ?? [];
}
