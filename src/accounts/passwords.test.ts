import { expect, test } from "bun:test";
import { requireGoodPassword } from "./passwords.ts";

const COMMON = "it is a common password, perhaps with added digits or symbols";

test.each([
  [COMMON, "petstore, PetStore1!, p3tst0re2026, ｐｅｔｓｔｏｒｅ, Passw0rd!, P@$$w0rd, l1verp001, w3lc0m3!"],
  [COMMON, "welcome2026, Summer2026!, dog2026!, password123456789, 1234!!!!, 1212121212"],
  [COMMON, "pet store, Pet-Store2026!, pass\u00adword, dra\u200bgon1!, abcdefgh, zyxwvuts, 0987654321"],
  [
    "it is the email address",
    "ada example com, ada@example.com, Ada@Example.com1!, ADA2026!, ４ｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ",
  ],
  ["it repeats itself", "aaaaaaaaaaaa, abcabcabcabc, abcabcab!, qwertyqwerty1, adaadaada, 🐈🐈🐈🐈🐈🐈🐈🐈"],
  ["it repeats itself", "petstore.petstore, Sunshine!!Sunshine, sunshine12sunshine"],
  ["none", "max-4829-1077-2210, cat 8391 0472 5561, the84720193847"],
  ["none", "correct horse battery staple, Mississippi-Delta-7, tr0ub4dor&3, 春の庭で猫が眠っている"],
  ["none", "q7Rz!m2Kx9Lw, x7k!93#1, ab!4829!#71, aa!4829!#71, 200473918264, nine gentle otters"],
])("the weakness is %s: %s", async (weakness, passwords) => {
  for (const password of passwords.split(", ")) {
    const refusal = await requireGoodPassword(password, "ada@example.com").catch(String);
    expect([password, / guess: (.*)\. Try /.exec(refusal ?? "")?.[1] ?? "none"]).toEqual([
      password,
      weakness,
    ]);
  }
});
