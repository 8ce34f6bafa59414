import { beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createClient } from "../../client/src/client.ts";
import { expectClean, openBrowser, openPage } from "../browser/browser.ts";
import { makeKey, type Server, useStore } from "../wire/server.ts";
import { installClient, linkPackages, PROJECT, run } from "./installed.ts";

// Compiles and runs each example in client/README.md unchanged, one after another, on the same store.

/** Packages with the types of JavaScript runtimes. Each compilation uses one of them. */
const TYPES = ["@types", "bun-types", "undici-types"];
const COMPILER = join(PROJECT, "node_modules/typescript/bin/tsc");
const document = await Bun.file(`${PROJECT}client/README.md`).text();

const blocksOf = (language: string): string[] =>
  [...document.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
    ([, code = ""]) => code,
  );
const examples = blocksOf("ts");

/** The lines that most examples in the README begin with. */
const PRELUDE = `import { createClient } from "@petstore/client";
const client = createClient({ key: "pet_live_…" });
`;

const server = useStore();
let project: string;
beforeAll(async () => {
  ({ project } = await installClient());
  await linkPackages(join(project, "node_modules"), (name) => TYPES.includes(name));
  const stagingKey = await makeKey(server.store, { environment: "staging" });
  await Bun.write(join(project, "addresses.js"), redirection(server));
  for (const [index, example] of examples.entries()) {
    const whole = example.includes("createClient(") ? example : PRELUDE + example;
    const code = whole.replaceAll("pet_live_…", server.key).replaceAll("pet_test_…", stagingKey);
    await Bun.write(join(project, `example-${index}.ts`), `${code}\nexport {};\n`);
  }
});

/** Redirects requests from the addresses in the README to this server. */
function redirection({ production, staging, messages }: Server): string {
  const targets = {
    "http://localhost:8080/v1": production,
    "http://localhost:8081/v1": staging,
    "http://localhost:8082": messages,
  };
  return `const targets = Object.entries(${JSON.stringify(targets)});
    const { fetch } = globalThis;
    globalThis.fetch = (address, init) => {
      const [from, to] = targets.find(([from]) => address.startsWith(from));
      return fetch(to + address.slice(from.length), init);
    };`;
}

/** Compiles every example in a project that contains only the installed client and the types of one runtime. */
function compile(options: Record<string, unknown>): Promise<string> {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: "ES2022",
    module: "NodeNext",
    outDir: "out",
    types: [],
    ...options,
  };
  return Bun.write(
    join(project, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["example-*.ts"] }),
  ).then(() => run(project, process.execPath, COMPILER, "--pretty", "false"));
}

describe("client/README.md", () => {
  test("its examples compile against the installed client, with the types of browsers, Bun and Node", async () => {
    expect(examples).toHaveLength(7);
    await compile({ lib: ["ES2022", "DOM", "DOM.Iterable"], module: "ESNext", moduleResolution: "Bundler" });
    await compile({ lib: ["ESNext"], types: ["bun-types"], skipLibCheck: true });
    await compile({ lib: ["ES2022"], types: ["node"], skipLibCheck: true });
  });

  test("undefined stands for an option that is left out, with exactOptionalPropertyTypes and without", async () => {
    const source = `${PRELUDE}const limit = [20, undefined][1];
      const options = { signal: undefined, retries: undefined, headers: undefined, onAnswer: undefined };
      await createClient({ key: undefined, baseUrl: undefined, onRetry: undefined }).pets.update(1, { status: undefined }, options);
      for await (const { status } of client.pets.list({ status: undefined, limit }, options)) void status?.length;
      client.events.follow({ after: undefined, types: undefined, ...{ signal: undefined } });`;
    await Bun.write(join(project, "example-optional.ts"), source);
    try {
      for (const exactOptionalPropertyTypes of [true, false])
        await compile({ lib: ["ES2022", "DOM"], exactOptionalPropertyTypes });
    } finally {
      await Bun.file(join(project, "example-optional.ts")).delete();
    }
  });

  test("the compiler warns about deprecated methods, and refuses methods that do not exist", async () => {
    const declared = await Bun.file(join(project, "node_modules/@petstore/client/dist/pets.d.ts")).text();
    expect(declared).toMatch(/@deprecated [^*]*5 December 2030[\s\S]*?\*\/\s*get\(/);
    await Bun.write(
      join(project, "example-wrong.ts"),
      `${PRELUDE}client.pets.create({ name: "No category" });`,
    );
    const failure = await compile({ lib: ["ES2022", "DOM"] }).catch(String);
    await Bun.file(join(project, "example-wrong.ts")).delete();
    expect(failure).toContain("Property 'categoryId' is missing");
  });

  test("its examples run on Node, and print what they say", async () => {
    await compile({ lib: ["ES2022"], types: ["node"], skipLibCheck: true });
    for (const [index, example] of examples.entries()) {
      const said = [...example.matchAll(/console\.log\(.*\/\/ (.+)$/gm)].map(([, words = ""]) => words);
      const node = ["env", `PETSTORE_KEY=${server.key}`, "node", "--import", "./addresses.js"];
      const printed = await run(project, ...node, `out/example-${index}.js`);
      expect([example, printed.trimEnd().split("\n").filter(Boolean)]).toEqual([example, said]);
    }
  });

  test("its page shows the animals in a browser, with the module that the service has", async () => {
    const { pets } = createClient({ key: server.key, baseUrl: server.production });
    await pets.create({ name: "Shown", categoryId: 1 });
    const [html = ""] = blocksOf("html");
    const page = html
      .replace("pet_live_…", server.key)
      .replaceAll("http://localhost:8080", new URL(server.production).origin);
    const headers = { "Content-Type": "text/html" };
    const files = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      routes: { "/": new Response(page, { headers }), "/favicon.ico": new Response() },
    });
    const browser = await openBrowser();
    const watched = await openPage(browser);
    await watched.page.goto(files.url.href);
    await watched.page.getByText(/\bShown\b/).waitFor();
    expectClean(watched);
    await browser.close();
    await files.stop(true);
  });
});
