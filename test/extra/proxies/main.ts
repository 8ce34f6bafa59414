// `npm run lab -- proxies` tests the petstore server behind the example proxies of deploy/, behind HAProxy, and behind proxies that
// are configured in one line. It needs `nginx`, `caddy`, `haproxy`, `apache2`, `socat`, `curl` and `openssl`. `-- nginx` tests only
// one proxy. The last line is `N passed, N failed`.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../postgres/server.ts";
import { until } from "../../until.ts";
import { petstore } from "../../wire/process.ts";
import { makeKey, type Server, startServer } from "../../wire/server.ts";
import { freshEmbeddedStore } from "../../wire/stores.ts";
import { printCounts, step } from "../steps.ts";
import { CHECKS, FRAMING_CHECK } from "./checks.ts";
import { curl } from "./curl.ts";
import { tryNaiveProxies } from "./naive.ts";
import { type Ports, type RunningProxy, startCaddy, startHaproxy, startNginx } from "./proxy-servers.ts";

type Start = (server: Server, ports: Ports, folder: string) => Promise<RunningProxy>;
const PROXIES: Readonly<Record<string, Start>> = {
  nginx: startNginx,
  caddy: startCaddy,
  haproxy: startHaproxy,
};

const chosen = process.argv.slice(2);
for (const [name, start] of Object.entries(PROXIES)) {
  if (chosen.length === 0 || chosen.includes(name)) await tryProxy(name, start);
}
await tryNaiveProxies((name) => chosen.length === 0 || chosen.some((one) => name.startsWith(one)));
printCounts();

async function tryProxy(name: string, start: Start): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "petstore-proxies-"));
  const ports = { httpsPort: freePort(), httpPort: freePort() };
  const host = (service: string) => `https://${service}pets.example.com:${ports.httpsPort}`;
  const store = await freshEmbeddedStore();
  const server = await startServer({
    store,
    env: {
      PETSTORE_PRODUCTION_URL: `${host("")}/v1`,
      PETSTORE_STAGING_URL: `${host("staging.")}/v1`,
      PETSTORE_MESSAGES_URL: host("messages."),
      PETSTORE_TRUSTED_PROXIES: "127.0.0.1,::1",
      PETSTORE_SIGN_UP: "",
    },
  });
  const proxy = await start(server, ports, join(folder, name));
  try {
    const invite = async () => (await petstore(store, ["accounts", "invite"])).out.trim().split("#")[1] ?? "";
    const target = {
      proxy,
      origin: host(""),
      messages: host("messages."),
      key: await makeKey(store),
      invite,
    };
    await until(() =>
      curl(proxy, `${target.origin}/readyz`).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    for (const { title, run } of name === "haproxy" ? [FRAMING_CHECK] : CHECKS)
      await step(`${name}: ${title}`, () => run(target));
  } finally {
    await proxy.stop();
    await server.stop();
    await rm(folder, { recursive: true });
    await rm(store.dataDir, { recursive: true });
  }
}
