import { expect, test } from "bun:test";
import { requireGoodPassword } from "./passwords.ts";

const COMMON = "a common one, even with digits or marks";

test.each([
  [COMMON, "petstore, PetStore1!, p3tst0re2026, ｐｅｔｓｔｏｒｅ, Passw0rd!, P@$$w0rd, l1verp001, w3lc0m3!"],
  [COMMON, "welcome2026, Summer2026!, dog20262026, password123456789, 1234!!!!, 1212121212"],
  ["the email address", "ada@example.com, Ada@Example.com1!, ADA2026!, ４ｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ"],
  ["a repetition", "aaaaaaaaaaaa, abcabcabcabc, abcabcab!, qwertyqwerty1, adaadaada, 🐈🐈🐈🐈🐈🐈🐈🐈"],
  ["none", "correct horse battery staple, Mississippi-Delta-7, tr0ub4dor&3, 春の庭で猫が眠っている"],
  ["none", "q7Rz!m2Kx9Lw, x7k!93#1, ab!4829!#71, aa!4829!#71, 200473918264, nine gentle otters"],
])("the weakness is %s: %s", async (weakness, passwords) => {
  for (const password of passwords.split(", ")) {
    const refusal = await requireGoodPassword(password, "ada@example.com").catch(String);
    expect([password, /: .*: (.*);/.exec(refusal ?? "")?.[1] ?? "none"]).toEqual([password, weakness]);
  }
});
