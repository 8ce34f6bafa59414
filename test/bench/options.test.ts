import { expect, test } from "bun:test";
import { readOptions } from "../../bench/options.ts";

const namesOf = (...args: readonly string[]) => readOptions(args).contestants.map(({ name }) => name);

test("everything is measured unless a part is chosen", () => {
  expect(readOptions([]).command).toBe("all");
  expect(readOptions(["--quick", "--rounds", "5"])).toMatchObject({
    command: "all",
    isQuick: true,
    rounds: 5,
  });
  expect(readOptions(["start"]).command).toBe("start");
  for (const choice of ["--work=get", "--only=bare-bun", "--connections=512", "--vs=HEAD"])
    expect(readOptions([choice]).command).toBe("compare");
});

test("another commit is compared on SQLite unless PostgreSQL is named, with any choice of work", () => {
  expect(namesOf("--vs", "HEAD")).toEqual(["petstore"]);
  expect(namesOf("--vs", "HEAD", "--only", "petstore-postgres")).toEqual(["petstore-postgres"]);
  const options = readOptions([
    "--vs",
    "main~3",
    "--work",
    "create,get",
    "--connections",
    "1,512",
    "--quick",
  ]);
  expect(options).toMatchObject({ versus: "main~3", connections: [1, 512], isQuick: true });
  expect(options.works.map(({ name }) => name)).toEqual(["get", "create"]);
});

test("petstore on the same database is always measured with a peer", () => {
  expect(namesOf("--only", "bare-bun")).toEqual(["petstore", "bare-bun"]);
  expect(namesOf("--only", "fastify-pg")).toEqual(["petstore-postgres", "fastify-pg"]);
});

test("what does not exist is refused by name", () => {
  expect(() => readOptions(["--work", "lists"])).toThrow("Unknown name lists. Use one of list-hot");
  expect(() => readOptions(["--connections", "0"])).toThrow("0 is not a positive whole number.");
});
