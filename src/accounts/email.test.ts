import { expect, test } from "bun:test";
import { ServiceError } from "../errors.ts";
import { normalizeEmail } from "./email.ts";

const INVISIBLE = [
  ...["\u200B", "\u200C", "\u200D", "\u2060", "\uFEFF", "\u00AD", "\u034F", "\u061C", "\u180E"],
  ...["\u200E", "\u200F", "\u202A", "\u202E", "\u2066", "\u2069", "\u{E0001}", "\u{E0061}", "\uFE0F"],
  ...["\u115F", "\u3164", "\uFFA0", "\u2800", "\u00A0", "\u3000", "\u2028", "\u0000"],
];

test.each(INVISIBLE.map((character) => [character.codePointAt(0)?.toString(16), character]))(
  "an address with U+%s is refused, wherever it stands",
  (_, character) => {
    for (const email of [`a${character}da@example.com`, `ada@exam${character}ple.com`]) {
      expect(() => normalizeEmail(email)).toThrow(ServiceError);
    }
  },
);

test("the refusal of an invisible character says what is wrong", () => {
  expect(() => normalizeEmail("ada\u200B@example.com")).toThrow(
    "email contains a space or an invisible character; type the address again without it",
  );
});

test.each([
  "ada@example.com",
  "Ada.Lovelace+pets@Example.com ",
  "ädä@exämple.com",
  "用户@例子.中国",
  "🐈@example.com",
])("a visible address is accepted: %p", (email) =>
  expect(normalizeEmail(email)).toBe(email.trim().toLowerCase()),
);
