import { deepStrictEqual as equal, match, ok } from "node:assert";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "../../browser/browser.ts";
import { freePort } from "../../postgres/server.ts";
import { until } from "../../until.ts";
import { PASSWORD } from "../../wire/browser-session.ts";
import { petstore } from "../../wire/process.ts";
import { type Server, startServer } from "../../wire/server.ts";
import { freshEmbeddedStore, type Store } from "../../wire/stores.ts";
import { step } from "../steps.ts";
import { curl } from "./curl.ts";
import { NAIVE_PROXIES, startNaive } from "./naive-proxies.ts";

// Even behind a proxy that is configured in one line, no stranger can create an account, and the owner's link works.

const NAME = "pets.example.com";

/** @param isChosen returns true if the proxy with this name is to be tested */
export async function tryNaiveProxies(isChosen: (name: string) => boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "petstore-naive-"));
  const browser = await openBrowser(["--no-proxy-server", `--host-resolver-rules=MAP ${NAME} 127.0.0.1`]);
  for (const [index, proxy] of NAIVE_PROXIES.filter(({ name }) => isChosen(name)).entries()) {
    const [from, to] = [freePort(), freePort()];
    const stop = await startNaive(proxy, from, to, join(folder, String(index)));
    const origin = `http://${NAME}:${from}`;
    try {
      for (const { title, env, run } of CHECKS)
        await step(`${proxy.name}: ${title}`, () =>
          withService(to, origin, env, (server) => run({ server, origin, upstream: to, browser })),
        );
    } finally {
      await stop();
    }
  }
  await browser.close();
  await rm(folder, { recursive: true });
}

interface Target {
  readonly server: Server;
  /** The address at which the proxy serves the console. */
  readonly origin: string;
  /** The port of the production service. */
  readonly upstream: number;
  readonly browser: Browser;
}

/**
 * Runs a service with an empty store and the default of PETSTORE_SIGN_UP. Waits until the proxy reaches the service, calls `run`,
 * and then stops the service.
 */
async function withService(
  port: number,
  origin: string,
  env: (origin: string) => Record<string, string>,
  run: (server: Server) => Promise<void>,
): Promise<void> {
  const store = await freshEmbeddedStore();
  const settings = { PETSTORE_SIGN_UP: "", PETSTORE_PRODUCTION_PORT: String(port), ...env(origin) };
  const server = await startServer({ store, env: settings });
  try {
    await until(() =>
      request(`${origin}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    await run(server);
  } finally {
    await server.stop();
    await rm(store.dataDir, { recursive: true });
  }
}

function request(address: string, headers: Readonly<Record<string, string>> = {}, body?: unknown) {
  const changes = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  return curl({}, address, { headers: { "Content-Type": "application/json", ...headers }, ...changes });
}

async function onPage(
  browser: Browser,
  address: string,
  steps: (page: Page) => Promise<void>,
): Promise<void> {
  const page = await browser.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(address);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await steps(page);
  await page.close();
}

async function ownerLink(store: Store, env: Readonly<Record<string, string>>): Promise<string> {
  const { out } = await petstore(store, ["accounts", "invite"], { env });
  match(out, /^http\S+\/invitation#\w{43}\n$/);
  return out.trim();
}

const CHECKS: readonly {
  readonly title: string;
  readonly env: (origin: string) => Record<string, string>;
  run(target: Target): Promise<void>;
}[] = [
  {
    title: "a stranger creates no account, whatever Host and Origin are",
    env: () => ({}),
    async run({ origin, upstream, browser }) {
      const here = [`localhost:${upstream}`, `127.0.0.1:${upstream}`, "localhost", `[::1]:${upstream}`];
      const guess = { email: "eve@example.com", password: PASSWORD, token: "a".repeat(43) };
      for (const Host of [new URL(origin).host, ...here]) {
        const seen = await request(`${origin}/console/api/session`, { Host });
        // Caddy and Apache themselves refuse some of the host names that the test tries.
        const api = seen.status === 200 ? new URL(JSON.parse(seen.body).api).origin : origin;
        for (const Origin of new Set([api, ...[Host, ...here].map((host) => `http://${host}`)]))
          for (const path of ["accounts", "invitation/accept"]) {
            const { status, body } = await request(`${origin}/console/api/${path}`, { Host, Origin }, guess);
            ok(status >= 400 && status < 500, `${Host}, ${Origin}, ${path}: ${status} ${body}`);
          }
      }
      equal(JSON.parse((await request(`${origin}/console/api/session`)).body).hasOwner, false);
      for (const path of ["/", "/sign-up", "/people"])
        await onPage(browser, origin + path, async (page) => {
          await page.getByRole("heading", { level: 1, name: "No owner yet" }).waitFor();
          await page.getByText("petstore accounts invite").waitFor();
          equal(await page.locator("form, input, button").count(), 0);
        });
    },
  },
  {
    title: "without a public address, the page of the owner's link says which setting it needs",
    env: () => ({}),
    async run({ server, origin, browser }) {
      const link = await ownerLink(server.store, { PETSTORE_PRODUCTION_URL: `${origin}/v1` });
      await onPage(browser, link, async (page) => {
        await page.getByText("set PETSTORE_PRODUCTION_URL to the public address").waitFor();
        equal(await page.locator("form").count(), 0);
      });
    },
  },
  {
    title: "with its public address, the owner's link creates the account, once",
    env: (origin) => ({ PETSTORE_PRODUCTION_URL: `${origin}/v1` }),
    async run({ server, origin, browser }) {
      const env = { PETSTORE_PRODUCTION_URL: `${origin}/v1` };
      const [link, other] = [await ownerLink(server.store, env), await ownerLink(server.store, env)];
      await onPage(browser, link, async (page) => {
        await page.getByLabel("Email").fill("ada@example.com");
        await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
        await page.getByRole("button", { name: "Create account" }).click();
        await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
        const { account } = JSON.parse(
          await page.evaluate(async () => (await fetch("/console/api/session")).text()),
        );
        equal(account.role, "owner");
      });
      for (const used of [link, other]) {
        const guess = { email: "eve@example.com", password: PASSWORD, token: used.split("#")[1] };
        const { status } = await request(
          `${origin}/console/api/invitation/accept`,
          { Origin: origin },
          guess,
        );
        equal(status, 404);
      }
      const { hasOwner } = JSON.parse((await request(`${origin}/console/api/session`)).body);
      equal(hasOwner, true);
    },
  },
];
