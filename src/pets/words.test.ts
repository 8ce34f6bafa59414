import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isBlank } from "./blank.ts";
import { nameMatcher, wordsOf } from "./words.ts";

describe("the words of a text", () => {
  test.each([
    ["Fluffy the Second", ["fluffy", "the", "second"]],
    ["Rex,rex-REX", ["rex"]],
    ["Ｆｌｕｆｆｙ ①②", ["fluffy", "12"]],
    ["Ünsal Café Cafe\u0301", ["unsal", "cafe"]],
    ["İstanbul ISPARTA ısı", ["istanbul", "isparta", "isi"]],
    ["ΟΔΟΣ Οδός", ["οδοσ"]],
    ["三毛猫 ガス", ["三毛猫", "カス"]],
    ["ﬁsh ℡", ["fish", "tel"]],
    ["9223372036854775807", ["9223372036854775807"]],
    ["🐶Rex🐱Tom", ["rex", "tom"]],
    ["Straße szydeł Æsir Œuf Þór Øre Đorđe", ["strasse", "szydel", "aesir", "oeuf", "thor", "ore", "dorde"]],
    ["Neko猫ちゃん2号", ["neko", "猫ちゃん", "2", "号"]],
    ["🐶 ❤️", ["🐶 ❤"]],
    [" -- ", ["--"]],
    ["𝔉𝔩𝔲𝔣𝔣 𐐀𐐁", ["fluff", "𐐨𐐩"]],
  ])("%s", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test.each(["", " ", "\u3000", "\u0301", "\u0000"])("are missing in %j", (text) => {
    expect(wordsOf(text)).toEqual([]);
  });

  test("are missing only if the text is blank", () => {
    for (const text of [" \t", "¨", "\u0085", "\u200b", "a\u0000", "\u0301x"])
      expect([text, isBlank(text)]).toEqual([text, wordsOf(text).length === 0]);
    const unit = fc.oneof(
      fc.constantFrom(" ", "\u3000", "\u0000", "\u0301", "¨", "´", "\u200b", "-"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 4 }), (parts) => {
        const text = parts.join("");
        expect([text, isBlank(text)]).toEqual([text, wordsOf(text).length === 0]);
      }),
      { numRuns: 5_000 },
    );
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
    ["I", "ısı", true],
    ["922337203685477580", "9223372036854775807", true],
    ["x", "", false],
    ["STRASSE", "Straße 7", true],
    ["straße", "HAUPTSTRASSE STRASSE", true],
    ["szydel", "szydeł", true],
    ["赤ちゃん", "金魚の赤ちゃん", true],
    ["魚の赤", "金魚の赤ちゃん", true],
    ["ガ", "かき カガミ", true],
    ["金魚赤", "金魚の赤ちゃん", false],
    ["แมว", "เจ้าแมวดำ", true],
    ["양이", "고양이", true],
    ["eko猫", "Neko猫", false],
    ["neko猫", "Neko 三毛猫", true],
    ["😀", "Smiley 😀!", true],
    ["😀 🐶", "😀🐶", false],
    ["❤", "I ❤️ cats", true],
    ["--", "a -- b", true],
    ["-", "ab", false],
  ])("%s in %p: %p", (text, name, isMatch) => {
    expect(nameMatcher(wordsOf(text))(name)).toBe(isMatch);
  });

  test("even if its last word is the one searched for", () => {
    expect(nameMatcher(["end"])(`${"é ".repeat(100_000)} End`)).toBe(true);
  });
});
