import { describe, expect, test } from "bun:test";
import { nameMatcher, wordsOf } from "./words.ts";

describe("the words of a text", () => {
  test.each([
    ["Fluffy the Second", ["fluffy", "the", "second"]],
    ["Rex,rex-REX", ["rex"]],
    ["Ｆｌｕｆｆｙ ①②", ["fluffy", "12"]],
    ["Ünsal Café Cafe\u0301", ["unsal", "cafe"]],
    ["İstanbul ISPARTA ısı", ["istanbul", "isparta", "ısı"]],
    ["ΟΔΟΣ Οδός", ["οδοσ"]],
    ["三毛猫 ガス", ["三毛猫", "カス"]],
    ["ﬁsh ℡", ["fish", "tel"]],
    ["9223372036854775807", ["9223372036854775807"]],
    ["🐶Rex🐱Tom", ["rex", "tom"]],
    ["𝔉𝔩𝔲𝔣𝔣 𐐀𐐁", ["fluff", "𐐨𐐩"]],
  ])("%s", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test.each(["", " ", "🐶", "--", "\u0301", "\u0000"])("there are none in %j", (text) => {
    expect(wordsOf(text)).toEqual([]);
  });
});

describe("a name matches", () => {
  test.each([
    ["flu sec", "Fluffy the Second", true],
    ["second fluffy", "Fluffy the Second", true],
    ["luffy", "Fluffy", false],
    ["fluffy x", "Fluffy", false],
    ["cafe", "CAFÉS", true],
    ["CAFÉ", "cafes", true],
    ["ΟΔΟΣ", "ΟΔΟΣΑΝΤΑ", true],
    ["I", "ısı", false],
    ["922337203685477580", "9223372036854775807", true],
    ["x", "", false],
  ])("%s in %p: %p", (text, name, isMatch) => {
    expect(nameMatcher(wordsOf(text))(name)).toBe(isMatch);
  });

  test("at the end of a long one", () => {
    expect(nameMatcher(["end"])(`${"é ".repeat(100_000)} End`)).toBe(true);
  });
});
