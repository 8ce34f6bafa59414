// Takes the README's screenshots: a store with a few animals, in both themes, in the tests' browser.
import { mkdir } from "node:fs/promises";
import { openBrowser, openPage } from "../test/browser/browser.ts";
import { signUp } from "../test/wire/browser-session.ts";
import { freshEmbeddedStore, type Server, send, startServer } from "../test/wire/server.ts";

const FOLDER = Bun.fileURLToPath(new URL("../docs/images/", import.meta.url));
const PAGES = { overview: "/", animals: "/animals", keys: "/keys", reference: "/docs" } as const;
const ANIMALS = [
  ["Fluffy", 1, "available"],
  ["Rex", 2, "sold"],
  ["Bella", 2, "available"],
  ["Captain Whiskers", 1, "pending"],
  ["Tofu", 3, "available"],
  ["Professor Hoot", 4, undefined],
] as const;

const server = await startServer({ store: await freshEmbeddedStore() });
const browser = await openBrowser();
try {
  const cookie = await fillStore(server);
  await mkdir(FOLDER, { recursive: true });
  for (const theme of ["light", "dark"] as const) {
    for (const [name, path] of Object.entries(PAGES)) await screenshot(name, path, theme, cookie);
  }
} finally {
  await browser.close();
  await server.stop();
}

async function fillStore(store: Server): Promise<string> {
  const ada = await signUp(store, "ada@example.com");
  for (const name of ["Cats", "Dogs", "Rabbits", "Owls"]) await ada.call("POST /categories", { name });
  for (const [name, categoryId, status] of ANIMALS)
    await ada.call("POST /pets", { name, categoryId, status });
  await ada.call("POST /store/orders", { petId: 5 });
  const soon = new Date(Date.now() + 14 * 86_400_000).toISOString();
  const till = JSON.parse((await ada.call("POST /keys", { name: "till", expiresAt: soon })).body);
  await ada.call("POST /keys", { name: "price display", access: "read" });
  for (let call = 0; call < 3; call++) await send("GET", `${store.production}/pets/1`, { key: till.token });
  return ada.cookie() ?? "";
}

async function screenshot(
  name: string,
  path: string,
  theme: "light" | "dark",
  cookie: string,
): Promise<void> {
  const { page, close } = await openPage(browser, { theme });
  const { origin } = new URL(server.production);
  const [cookieName = "", value = ""] = cookie.split("=");
  await page.context().addCookies([{ name: cookieName, value, url: origin }]);
  await page.goto(origin + path, { waitUntil: "networkidle" });
  await page.screenshot({ path: `${FOLDER}${name}-${theme}.png` });
  await close();
  console.log(`docs/images/${name}-${theme}.png`);
}
