// Takes the README's pictures of a shop after a month, in both themes, in the tests' browser.
import { Database as Connection } from "bun:sqlite";
import type { Page } from "playwright-core";
import { openBrowser } from "../test/browser/browser.ts";
import { type BrowserSession, signUp } from "../test/wire/browser-session.ts";
import { send } from "../test/wire/send.ts";
import { type Server, startServer } from "../test/wire/server.ts";
import { freshEmbeddedStore } from "../test/wire/stores.ts";

const PROJECT = Bun.fileURLToPath(new URL("../", import.meta.url));
/** A font that every machine has: the console's own is the system's. */
const FONT = await Bun.file(
  `${PROJECT}node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2`,
).bytes();
const STYLE = `
  @font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${FONT.toBase64()}); }
  :root { --sans: Inter, sans-serif; }`;
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

interface Picture {
  readonly name: string;
  readonly path: string;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Steps before the picture is taken. */
  readonly show?: (page: Page, ada: BrowserSession) => Promise<void>;
}

const PICTURES: readonly Picture[] = [
  {
    name: "animals",
    path: "/animals",
    width: 1280,
    height: 760,
    async show(page) {
      for (const name of ["Tofu", "Rex", "Fluffy"])
        await page.getByRole("checkbox", { name: `Select ${name}` }).check();
    },
  },
  {
    name: "sale",
    path: "/animals?status=available",
    width: 1280,
    height: 760,
    async show(page) {
      await page
        .getByRole("button", { name: /^Sell / })
        .nth(1)
        .click();
      await page.getByRole("button", { name: /^Undo the sale/ }).waitFor();
    },
  },
  {
    name: "conflict",
    path: "/animals/110",
    width: 1280,
    height: 760,
    async show(page, ada) {
      await ada.call("PATCH /pets/110", { name: "Rex" });
      await page.getByRole("heading", { level: 1, name: "Rex", exact: true }).waitFor();
      await page.getByRole("button", { name: "Edit", exact: true }).click();
      await page.getByLabel("Name").fill("Rex the Great");
      await ada.call("PATCH /pets/110", { name: "Rex II" });
      await page.getByRole("region", { name: "Changed meanwhile" }).getByText("Rex II").first().waitFor();
    },
  },
  { name: "phone", path: "/animals", width: 390, height: 560 },
  { name: "overview", path: "/", width: 1280, height: 760 },
];

const store = await freshEmbeddedStore();
const server = await startServer({ store });
const browser = await openBrowser();
try {
  const ada = await fillStore(server);
  for (const theme of ["light", "dark"] as const)
    for (const picture of PICTURES) await takePicture(picture, theme, ada);
} finally {
  await browser.close();
  await server.stop();
}

async function fillStore(started: Server): Promise<BrowserSession> {
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
  return ada;
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

/** Takes one picture, at two pixels for each CSS pixel. */
async function takePicture(
  picture: Picture,
  colorScheme: "light" | "dark",
  ada: BrowserSession,
): Promise<void> {
  const { name, path, show, ...viewport } = picture;
  const context = await browser.newContext({
    colorScheme,
    viewport,
    deviceScaleFactor: 2,
    bypassCSP: true,
    hasTouch: name === "phone",
    isMobile: name === "phone",
  });
  const { origin } = new URL(server.production);
  const [cookie = "", value = ""] = (ada.cookie() ?? "").split("=");
  await context.addCookies([{ name: cookie, value, url: origin }]);
  const page = await context.newPage();
  await page.goto(origin + path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.addStyleTag({ content: STYLE });
  await page.evaluate("document.fonts.ready");
  await show?.(page, ada);
  const file = `docs/images/${name}-${colorScheme}.png`;
  await page.screenshot({ path: PROJECT + file, animations: "disabled" });
  await context.close();
  console.log(file);
}
