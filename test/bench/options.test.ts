import { expect, test } from "bun:test";
import { readOptions } from "../../bench/options.ts";

function chosenBy(...args: readonly string[]) {
  const { engines, peers } = readOptions(args);
  return { engines, peers };
}

function worksOf(...args: readonly string[]) {
  return readOptions(args).works.map(({ name }) => name);
}

test("petstore is compared with all others on both engines unless something else is chosen", () => {
  const options = readOptions([]);
  expect(options).toMatchObject({ part: "compare", engines: ["sqlite", "postgres"], slices: 10 });
  expect(worksOf()).toEqual(["list-hot", "list-pages", "get", "unauthorized", "create", "create-once"]);
  expect(readOptions(["--quick", "--slices", "5"])).toMatchObject({ isQuick: true, slices: 5 });
  expect(readOptions(["start"]).part).toBe("start");
  expect(worksOf("growth")).toContain("list-ids");
});

test("another build is measured beside all others, or beside the chosen ones, with any choice of work", () => {
  expect(chosenBy("--vs", "HEAD")).toEqual(chosenBy());
  expect(chosenBy("--vs", "HEAD", "--only", "petstore")).toEqual({ engines: ["sqlite"], peers: [] });
  const options = readOptions(["--vs=main~3", "--connections=1,512"]);
  expect(options).toMatchObject({ versus: "main~3", connections: [1, 512], isQuick: false });
  expect(worksOf("--work=create,get")).toEqual(["get", "create"]);
});

test("petstore on the same database is always measured with a peer", () => {
  expect(chosenBy("--only", "bare-bun")).toEqual({ engines: ["sqlite"], peers: ["bare-bun"] });
  expect(chosenBy("--only", "fastify-pg")).toEqual({ engines: ["postgres"], peers: ["fastify-pg"] });
});

test("an unknown name in the options is refused, and the error names it", () => {
  expect(() => readOptions(["--work", "lists"])).toThrow("Unknown name lists. Use one of list-hot");
  expect(() => readOptions(["--connections", "0"])).toThrow("0 is not a positive whole number.");
});
