import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createMemoryAdapter } from "oidc-provider/lib/adapters/memory_adapter.js";
// The main module of the package `oidc-provider` prints a warning on every runtime except Node.js, so it is not imported.
import { Provider } from "oidc-provider/lib/provider.js";

type Claims = Readonly<Record<string, unknown>>;

const CLIENT = { id: "petstore", secret: "a-very-secret-client-secret" };

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}
/** Called with the path of each request before the provider gets the request. If it returns undefined, the provider answers. */
type Front = (path: string) => Promise<Answer | undefined> | Answer | undefined;

/** Starts a certified OpenID Connect provider, behind a proxy that can replace its ID tokens. */
export async function startIdentityProvider(redirectUris: readonly string[]) {
  let { pair, jwk } = await makeKeys("k");
  let person = { subject: "ada", email: "ada@example.com", isVerified: true };
  let forge: ((claims: Claims) => { header?: object; claims?: Claims; isSigned?: boolean }) | undefined;
  let isAway = false;
  let front: Front = () => undefined;
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const createProvider = () =>
    new Provider(issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [...redirectUris],
          post_logout_redirect_uris: redirectUris.map((uri) => uri.replace(/\/return$/, "")),
        },
      ],
      jwks: { keys: [jwk] },
      // Many options are set explicitly, because the identity provider prints a warning for each default value.
      adapter: createMemoryAdapter(),
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      cookies: { long: { signed: false }, short: { signed: false } },
      claims: { openid: ["sub"], email: ["email", "email_verified"] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, sub: string) => ({
        accountId: sub,
        claims: () => ({ sub, email: person.email, email_verified: person.isVerified }),
      }),
      async loadExistingGrant({ oidc }: { oidc: Oidc }) {
        const grant = new oidc.provider.Grant({
          clientId: oidc.client.clientId,
          accountId: oidc.session.accountId,
        });
        grant.addOIDCScope("openid email");
        await grant.save();
        return grant;
      },
    });
  let provider = createProvider();

  async function handle(request: IncomingMessage, response: ServerResponse) {
    if (isAway) return void request.socket.destroy();
    const own = await front(request.url ?? "");
    if (own !== undefined) return response.writeHead(own.status ?? 200, own.headers).end(own.body);
    if (request.url?.startsWith("/interaction/"))
      return provider.interactionFinished(request, response, { login: { accountId: person.subject } });
    if (request.url === "/token" && forge !== undefined) replaceToken(response);
    return provider.callback()(request, response);
  }

  /** Replaces the ID token in the provider's next token response. */
  function replaceToken(response: ServerResponse) {
    const end = response.end.bind(response);
    const make = forge;
    response.end = ((body: string) => {
      const answer = JSON.parse(String(body));
      const [, payload = ""] = answer.id_token.split(".");
      const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
      const { header = {}, claims: changed = claims, isSigned = true } = make?.(claims) ?? {};
      void signed({ alg: "RS256", kid: jwk.kid, ...header }, changed, isSigned).then((id_token) => {
        const text = JSON.stringify({ ...answer, id_token });
        response.setHeader("content-length", Buffer.byteLength(text));
        end(text);
      });
      return response;
    }) as typeof response.end;
  }

  async function signed(header: object, claims: Claims, isSigned: boolean): Promise<string> {
    const text = [header, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    const bytes = await crypto.subtle.sign(
      "RSASSA-PKCS1-v1_5",
      pair.privateKey,
      new TextEncoder().encode(text),
    );
    return `${text}.${isSigned ? Buffer.from(bytes).toString("base64url") : ""}`;
  }

  return {
    issuer,
    env: {
      PETSTORE_OIDC_ISSUER: issuer,
      PETSTORE_OIDC_CLIENT_ID: CLIENT.id,
      PETSTORE_OIDC_CLIENT_SECRET: CLIENT.secret,
    },
    /** Replaces the key that signs ID tokens. The identity provider no longer publishes the old key. */
    async rotateKeys(kid: string) {
      ({ pair, jwk } = await makeKeys(kid));
      provider = createProvider();
    },
    become(next: Partial<typeof person>) {
      person = { subject: "ada", email: "ada@example.com", isVerified: true, ...next };
    },
    forging(next: typeof forge) {
      forge = next;
    },
    answering(next: Front = () => undefined) {
      front = next;
    },
    setAway(next: boolean) {
      isAway = next;
    },
    /**
     * Follows the identity provider's redirects as a browser does. Returns the query string of the last redirect, which leads back
     * to petstore.
     */
    async visit(url: string): Promise<string> {
      const cookies = new Map<string, string>();
      for (let at = url; ; ) {
        const cookie = [...cookies].map((pair) => pair.join("=")).join("; ");
        const reply = await fetch(at, { redirect: "manual", headers: { cookie } });
        for (const line of reply.headers.getSetCookie()) {
          const [name = "", value = ""] = line.split(";", 1)[0]?.split("=") ?? [];
          cookies.set(name, value);
        }
        const location = reply.headers.get("location");
        if (location === null) throw new Error(`${reply.status} ${await reply.text()}`);
        const next = new URL(location, at);
        if (next.origin !== issuer) return next.search;
        at = next.href;
      }
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function makeKeys(kid: string) {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: "SHA-256",
  };
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const { kty, n, e, d, p, q, dp, dq, qi } = await crypto.subtle.exportKey("jwk", pair.privateKey);
  return { pair, jwk: { kty, n, e, d, p, q, dp, dq, qi, kid, alg: "RS256", use: "sig" } };
}

interface Oidc {
  readonly provider: InstanceType<typeof Provider>;
  readonly client: { readonly clientId: string };
  readonly session: { readonly accountId: string };
}
