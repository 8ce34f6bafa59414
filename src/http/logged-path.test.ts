import { describe, expect, test } from "bun:test";
import { createToken } from "../keys/token.ts";
import { systemRandomBytes } from "../platform/random.ts";
import { loggedPath } from "./logged-path.ts";

const KEY = createToken("production", systemRandomBytes);
const TOKEN = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG";

/** The path as a reader of the log has it. */
const read = (target: string, isAccepted = false): string =>
  JSON.parse(`"${loggedPath(target, isAccepted)}"`);

describe("a request's path in the log", () => {
  test.each([
    ["/v1/pets?limit=5", "/v1/pets?limit=5"],
    ["/v1/pets/%7Bid%7D?name=Mr.%20T%2BB", "/v1/pets/%7Bid%7D?name=Mr.%20T%2BB"],
    [
      "/docs/guides/litestream-and-snapshots-and-more#part",
      "/docs/guides/litestream-and-snapshots-and-more#part",
    ],
    [`/v1/pets?name=${KEY}&limit=5`, "/v1/pets?name=pet_live_…&limit=5"],
    ["/a?b=1&p%61ssword=hunter2&userToken=x&sig=1", "/a?b=1&password=…&userToken=…&sig=…"],
    [`/v1/${KEY.replaceAll("_", "%5F").replace("l", "%6c")}`, "/v1/pet_live_…"],
    [`/invitation/${TOKEN}?a=${TOKEN}`, "/invitation/…?a=…"],
    [`/a?s=whsec_${"AbC+d/eF".repeat(5)}ghi=&b=1`, "/a?s=whsec_…&b=1"],
    ['/a"b\\c d', "/a%22b%5Cc%20d"],
    ["/\x1b[31m\n\x7f", "/%1B[31m%0A%7F"],
    ["/é/😀\ud800", "/%C3%A9/%F0%9F%98%80%EF%BF%BD"],
    ["/%zz%e9", "/%zz%e9"],
  ])("%j is %j", (target, shown) => {
    expect(read(target)).toBe(shown);
    expect(loggedPath(target, false)).toMatch(/^[ -~]*$/);
  });

  test("is redacted where the query was accepted, too", () => {
    expect(read("/v1/pets?limit=5", true)).toBe("/v1/pets?limit=5");
    expect(read(`/v1/pets?name=${KEY}`, true)).toBe("/v1/pets?name=pet_live_…");
    expect(read(`/v1/pets?name=whsec_${"AbC+d/eF".repeat(5)}ghi=`, true)).toBe("/v1/pets?name=whsec_…");
  });

  test("has at most 512 characters", () => {
    const longest = `/v1/${"a/".repeat(254)}`;
    expect([longest.length, read(longest)]).toEqual([512, longest]);
    expect(read(`${longest}b`)).toBe(`${longest}…`);
    expect(read(`/${'"'.repeat(600)}`)).toHaveLength(513);
  });
});
