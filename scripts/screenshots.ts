// Takes the README's picture, in both themes, in the tests' browser: a shop after a month, on a screen and on a phone.
import { Database as Connection } from "bun:sqlite";
import { openBrowser, openPage } from "../test/browser/browser.ts";
import { type BrowserSession, signUp } from "../test/wire/browser-session.ts";
import { send } from "../test/wire/send.ts";
import { type Server, startServer } from "../test/wire/server.ts";
import { freshEmbeddedStore } from "../test/wire/stores.ts";

const PROJECT = Bun.fileURLToPath(new URL("../", import.meta.url));
/** Pages in the picture; sizes are CSS pixels. */
const WIDE = { path: "/animals", width: 1280, height: 720 } as const;
const PHONE = { path: "/", width: 390, height: 600 } as const;
const PICTURE = { width: 1600, height: 800 } as const;
const BACKGROUNDS = { light: "#d5e8e4", dark: "#0a2a26" } as const;
const CATEGORIES = ["Cats", "Dogs", "Rabbits", "Owls"] as const;
const BEFORE = [
  "Misty",
  "Bruno",
  "Hazel",
  "Otto",
  "Luna",
  "Pepper",
  "Milo",
  "Nala",
  "Oscar",
  "Poppy",
  "Rocky",
  "Willow",
];
const ROUNDS = 9;
const ANIMALS = [
  ["Fluffy", 1, "available"],
  ["Rex", 2, "available"],
  ["Bella", 2, "available"],
  ["Captain Whiskers", 1, "available"],
  ["Tofu", 3, "available"],
  ["Professor Hoot", 4, undefined],
] as const;

const store = await freshEmbeddedStore();
const server = await startServer({ store });
const browser = await openBrowser();
try {
  const cookie = await fillStore(server);
  for (const theme of ["light", "dark"] as const) await takePicture(theme, cookie);
} finally {
  await browser.close();
  await server.stop();
}

async function fillStore(started: Server): Promise<string> {
  const ada = await signUp(started, "ada@example.com");
  for (const name of CATEGORIES) await ada.call("POST /categories", { name });
  for (let round = 0; round < ROUNDS; round++) {
    const ids = await addAll(
      ada,
      BEFORE.map((name, index) => [name, (index % 4) + 1, "available"] as const),
    );
    for (const id of ids.slice(round % 5, 4 + (round % 7))) await sell(ada, id);
  }
  spreadEvents(31);
  await addAll(ada, ANIMALS.slice(0, 1));
  const late = await addAll(ada, ANIMALS.slice(1, 4));
  await ada.call("POST /store/orders", { petId: late[2], shipDate: daysFromNow(-2) });
  spreadEvents(1);
  const [tofu = 0] = await addAll(ada, ANIMALS.slice(4));
  await ada.call("POST /store/orders", { petId: tofu, shipDate: daysFromNow(3) });
  for (const id of late.slice(0, 1)) await sell(ada, id);
  const till = JSON.parse((await ada.call("POST /keys", { name: "till", expiresAt: daysFromNow(14) })).body);
  await ada.call("POST /keys", { name: "price display", access: "read" });
  for (let call = 0; call < 3; call++) await send("GET", `${started.production}/pets/1`, { key: till.token });
  return ada.cookie() ?? "";
}

type Animal = readonly [name: string, categoryId: number, status: string | undefined];

async function addAll(person: BrowserSession, animals: readonly Animal[]): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const [name, categoryId, status] of animals) {
    const { body } = await person.call("POST /pets", { name, categoryId, status });
    ids.push(JSON.parse(body).id);
  }
  return ids;
}

async function sell(person: BrowserSession, petId: number): Promise<void> {
  const { id } = JSON.parse((await person.call("POST /store/orders", { petId })).body);
  await person.call(`POST /store/orders/${id}/complete`);
}

function daysFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString();
}

/** Spreads the last hour's events unevenly over `days` days. */
function spreadEvents(days: number): void {
  const connection = new Connection(`${store.dataDir}/production.sqlite`);
  const hourAgo = Date.now() - 3_600_000;
  const ids = connection
    .query<{ id: number }, [number]>("SELECT id FROM event WHERE created_at > ? ORDER BY id")
    .all(hourAgo)
    .map(({ id }) => id);
  for (const [index, id] of ids.entries()) {
    const share = (ids.length - index) / ids.length;
    const daysAgo = days * (share + 0.05 * Math.sin(5 * Math.PI * share) * (1 - share));
    const at = Math.min(hourAgo, Math.round(Date.now() - daysAgo * 86_400_000));
    connection.run("UPDATE event SET created_at = ? WHERE id = ?", [at, id]);
  }
  connection.close();
}

type Theme = keyof typeof BACKGROUNDS;

/** Writes one theme's picture: the wide page, with the phone's in front of it. */
async function takePicture(theme: Theme, cookie: string): Promise<void> {
  const [wide, phone] = await Promise.all([WIDE, PHONE].map((shown) => screenshot(shown, theme, cookie)));
  const { page, close } = await openPage(browser, { theme, width: PICTURE.width });
  await page.setViewportSize(PICTURE);
  await page.setContent(`
    <style>
      body { margin: 0; background: ${BACKGROUNDS[theme]}; }
      img { position: absolute; border-radius: 12px; box-shadow: 0 8px 40px #0006; }
    </style>
    <img src="${wide}" style="left: 40px; top: 40px">
    <img src="${phone}" style="right: 40px; bottom: 40px; border-radius: 24px">`);
  const path = `docs/images/shop-${theme}.png`;
  await page.screenshot({ path: PROJECT + path });
  await close();
  console.log(path);
}

/** Returns a page's screenshot as a `data:` address. */
async function screenshot(
  { path, ...size }: typeof WIDE | typeof PHONE,
  theme: Theme,
  cookie: string,
): Promise<string> {
  const { page, close } = await openPage(browser, { theme, width: size.width });
  await page.setViewportSize(size);
  const { origin } = new URL(server.production);
  const [cookieName = "", value = ""] = cookie.split("=");
  await page.context().addCookies([{ name: cookieName, value, url: origin }]);
  await page.goto(origin + path, { waitUntil: "networkidle" });
  const image = await page.screenshot();
  await close();
  return `data:image/png;base64,${image.toString("base64")}`;
}
