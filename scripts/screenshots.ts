// Takes the screenshots in the README, which show the list of animals in the light and the dark theme. It uses the same browser as
// the tests.
import { openBrowser } from "../test/browser/browser.ts";
import { type BrowserSession, signUp } from "../test/wire/browser-session.ts";
import { startServer } from "../test/wire/server.ts";
import { freshEmbeddedStore } from "../test/wire/stores.ts";

const PROJECT = Bun.fileURLToPath(new URL("../", import.meta.url));
/**
 * A font from an npm package, so that the screenshots are the same on every machine. The console itself uses a font of the system.
 */
const FONT = await Bun.file(
  `${PROJECT}node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2`,
).bytes();
const STYLE = `
  @font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${FONT.toBase64()}); }
  :root { --sans: Inter, sans-serif; }`;
const CATEGORIES = ["Cats", "Dogs", "Rabbits", "Owls"] as const;
const ANIMALS = [
  ["Nala", 1, "sold"],
  ["Oscar", 2, "available"],
  ["Poppy", 3, "available"],
  ["Rocky", 2, "sold"],
  ["Willow", 1, "available"],
  ["Fluffy", 1, "available"],
  ["Rex", 2, "available"],
  ["Bella", 2, "pending"],
  ["Captain Whiskers", 1, "sold"],
  ["Tofu", 3, "available"],
  ["Professor Hoot", 4, undefined],
] as const;
const SELECTED = ["Tofu", "Rex", "Fluffy"] as const;

const store = await freshEmbeddedStore();
const server = await startServer({ store });
const browser = await openBrowser();
try {
  const ada = await signUp(server, "ada@example.com");
  for (const name of CATEGORIES) await ada.call("POST /categories", { name });
  for (const [name, categoryId, status] of ANIMALS)
    await ada.call("POST /pets", { name, categoryId, status });
  for (const theme of ["light", "dark"] as const) await takePicture(theme, ada);
} finally {
  await browser.close();
  await server.stop();
}

/** Takes one screenshot. Each CSS pixel is two pixels wide and high. */
async function takePicture(colorScheme: "light" | "dark", ada: BrowserSession): Promise<void> {
  const context = await browser.newContext({
    colorScheme,
    viewport: { width: 1280, height: 760 },
    deviceScaleFactor: 2,
    bypassCSP: true,
  });
  const { origin } = new URL(server.production);
  const [cookie = "", value = ""] = (ada.cookie() ?? "").split("=");
  await context.addCookies([{ name: cookie, value, url: origin }]);
  const page = await context.newPage();
  await page.goto(`${origin}/animals`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.addStyleTag({ content: STYLE });
  await page.evaluate("document.fonts.ready");
  for (const name of SELECTED) await page.getByRole("checkbox", { name: `Select ${name}` }).check();
  const file = `docs/images/animals-${colorScheme}.png`;
  await page.screenshot({ path: PROJECT + file, animations: "disabled" });
  await context.close();
  console.log(file);
}
