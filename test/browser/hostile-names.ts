import { type BrowserSession, openBrowserSession, PASSWORD } from "../wire/browser-session.ts";
import type { Server } from "../wire/server.ts";
import { type Environment, signUpPerson } from "./console-page.ts";

const IMAGE = "<img src=x onerror=alert(1)>";
export const RIGHT_TO_LEFT = "أرنب صغير لطيف جدا";
const LONG = "x".repeat(255);
export const HOSTILE_NAMES = [IMAGE, '"><script>alert(1)</script>', RIGHT_TO_LEFT, LONG, "🐈", ""];

/**
 * Creates resources with hostile names, such as HTML and very long text, in production and in staging. Each environment gets a
 * separate account.
 */
export async function createHostileNames(server: Server): Promise<Record<Environment, BrowserSession>> {
  return { production: await createIn("production"), staging: await createIn("staging") };

  async function createIn(environment: Environment): Promise<BrowserSession> {
    const person = await signUpPerson(server, environment);
    for (const name of HOSTILE_NAMES) {
      await person.call("POST /categories", { name, description: name });
      await person.call("POST /pets", { name, categoryId: 1, status: "available" });
      await person.call("POST /messages", { message: name });
      if (name !== "")
        await person.call("POST /keys", { name: name.slice(0, 100), expiresAt: "2100-01-01T00:00:00Z" });
    }
    for (const petId of [1, 3, 4]) await person.call("POST /store/orders", { petId });
    await person.call("POST /webhooks", { url: `https://hooks.example.com/${LONG}` });
    await person.call("POST /webhooks/1/test");
    const { account } = await person.read("/session");
    const elsewhere = { email: account.email, password: PASSWORD };
    await openBrowserSession(server, environment).call("POST /session", elsewhere);
    return person;
  }
}
