import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../postgres/server.ts";
import { until } from "../../until.ts";

// Drives Firefox through WebDriver BiDi (https://w3c.github.io/webdriver-bidi/), and WebKitGTK through WebDriver
// (https://w3c.github.io/webdriver/).

/** Firefox's program is called `firefox-esr` on Debian and `firefox` on Ubuntu. */
const FIREFOX = Bun.which("firefox-esr") ?? Bun.which("firefox");

/** Returns the command that installs the Debian packages for these tests, or undefined if all of them are installed. */
export function missingPackages(): string | undefined {
  const missing = [
    FIREFOX ? [] : "firefox-esr",
    Bun.which("WebKitWebDriver") ? [] : "webkit2gtk-driver",
    Bun.which("Xvfb") ? [] : "xvfb",
  ].flat();
  if (missing.length === 0) return undefined;
  return `Install the browsers: apt-get install --no-install-recommends ${missing.join(" ")}`;
}

export interface RemoteBrowser {
  open(address: string): Promise<void>;
  /** Evaluates a JavaScript expression in the page. If the result is a promise, awaits it. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** Sends key or pointer actions in the format that WebDriver and WebDriver BiDi share: `{ type: "key", id, actions }`. */
  perform(actions: readonly object[]): Promise<void>;
  close(): Promise<void>;
}

/** Starts a program and waits until its output matches the pattern. Resolves to the process and to the matched text (`said`). */
async function start(command: readonly string[], pattern: RegExp, env: Record<string, string> = {}) {
  const child = Bun.spawn([...command], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const [said] = pattern.exec(text) ?? [];
    if (said !== undefined) return { child, said };
  }
  throw new Error(`${command[0]} ended: ${text}`);
}

async function end(child: Bun.Subprocess): Promise<void> {
  child.kill();
  await child.exited;
}

export async function openFirefox(): Promise<RemoteBrowser> {
  const profile = await mkdtemp(join(tmpdir(), "petstore-firefox-"));
  const { child, said } = await start(
    [FIREFOX ?? "firefox", "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"],
    /ws:\/\/\S+/,
    { HOME: profile },
  );
  const send = await openBidi(`${said}/session`);
  await send("session.new", { capabilities: {} });
  // The browser's first tab starts with the focus in the address bar, so a page in that tab would get no focus events.
  const { context } = await send<{ context: string }>("browsingContext.create", { type: "tab" });
  return {
    async open(url) {
      await send("browsingContext.navigate", { context, url, wait: "complete" });
    },
    async evaluate(expression) {
      const { result, exceptionDetails } = await send<Evaluated>("script.evaluate", {
        expression: `Promise.resolve(${expression}).then((value) => JSON.stringify(value ?? null))`,
        target: { context },
        awaitPromise: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return JSON.parse(result.value);
    },
    async perform(actions) {
      await send("input.performActions", { context, actions });
    },
    async close() {
      await end(child);
      await rm(profile, { recursive: true });
    },
  };
}

interface Evaluated {
  readonly result: { readonly value: string };
  readonly exceptionDetails?: { readonly text: string };
}

async function openBidi(address: string) {
  const socket = new WebSocket(address);
  const waiting: ((reply: string) => void)[] = [];
  // Events have no `id`, so nothing is waiting for them.
  socket.onmessage = ({ data }) => waiting[JSON.parse(String(data)).id]?.(String(data));
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  return async <Result>(method: string, params: object): Promise<Result> => {
    const reply = await new Promise<string>((resolve) => {
      const id = waiting.push(resolve) - 1;
      socket.send(JSON.stringify({ id, method, params }));
    });
    const { type, message, result } = JSON.parse(reply);
    if (type !== "success") throw new Error(`${method}: ${message}`);
    return result;
  };
}

/** Starts WebKitGTK, and an X server for it, because WebKitGTK has no headless mode. */
export async function openWebKit(): Promise<RemoteBrowser> {
  const display = Bun.spawn(["Xvfb", "-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const { value: number } = await display.stdout.pipeThrough(new TextDecoderStream()).getReader().read();
  const port = await freePort();
  const driver = Bun.spawn(["WebKitWebDriver", `--port=${port}`], {
    env: { ...process.env, DISPLAY: `:${number?.trim()}` },
    stdio: ["ignore", "ignore", "ignore"],
  });
  const service = `http://127.0.0.1:${port}`;
  await until(() => fetch(`${service}/status`).then(Boolean, () => false));
  const { sessionId } = await call<{ sessionId: string }>("POST", `${service}/session`, { capabilities: {} });
  const session = `${service}/session/${sessionId}`;
  await call("POST", `${session}/timeouts`, { script: 60_000 });
  return {
    async open(url) {
      await call("POST", `${session}/url`, { url });
    },
    async evaluate<Value>(expression: string) {
      const script = `const done = arguments[0];
        Promise.resolve(${expression}).then((value) => done({ value }), (error) => done({ error: String(error) }));`;
      const { value, error } = await call<{ value: Value; error?: string }>(
        "POST",
        `${session}/execute/async`,
        { script, args: [] },
      );
      if (error) throw new Error(error);
      return value;
    },
    async perform(actions) {
      await call("POST", `${session}/actions`, { actions });
    },
    async close() {
      await call("DELETE", session);
      await end(driver);
      await end(display);
    },
  };
}

async function call<Value>(method: string, address: string, body?: object): Promise<Value> {
  const response = await fetch(address, { method, ...(body && { body: JSON.stringify(body) }) });
  const { value } = JSON.parse(await response.text());
  if (!response.ok) throw new Error(`${address}: ${value.message}`);
  return value;
}
