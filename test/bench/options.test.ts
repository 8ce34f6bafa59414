import { expect, test } from "bun:test";
import { readOptions } from "../../bench/options.ts";

function chosenBy(...args: readonly string[]) {
  const { engines, peers } = readOptions(args);
  return { engines, peers };
}

test("everything is measured unless a part is chosen", () => {
  expect(readOptions([]).part).toBe("all");
  expect(readOptions(["--quick", "--rounds", "5"])).toMatchObject({ part: "all", isQuick: true, rounds: 5 });
  expect(readOptions(["start"]).part).toBe("start");
  for (const choice of ["--work=get", "--only=bare-bun", "--connections=512"])
    expect(readOptions([choice]).part).toBe("compare");
});

test("another commit is compared on SQLite unless PostgreSQL is named, with any choice of work", () => {
  expect(chosenBy("--vs", "HEAD")).toEqual({ engines: ["sqlite"], peers: [] });
  expect(chosenBy("--vs", "HEAD", "--only", "petstore-postgres").engines).toEqual(["postgres"]);
  const options = readOptions(["--vs=main~3", "--work=create,get", "--connections=1,512"]);
  expect(options).toMatchObject({ versus: "main~3", connections: [1, 512], isQuick: false });
  expect(options.works.map(({ name }) => name)).toEqual(["get", "create"]);
});

test("petstore on the same database is always measured with a peer", () => {
  expect(chosenBy("--only", "bare-bun")).toEqual({ engines: ["sqlite"], peers: ["bare-bun"] });
  expect(chosenBy("--only", "fastify-pg")).toEqual({ engines: ["postgres"], peers: ["fastify-pg"] });
});

test("what does not exist is refused by name", () => {
  expect(() => readOptions(["--work", "lists"])).toThrow("Unknown name lists. Use one of list-hot");
  expect(() => readOptions(["--connections", "0"])).toThrow("0 is not a positive whole number.");
});
