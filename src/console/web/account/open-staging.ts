import type { SessionTransfer } from "../../../accounts/contract.ts";
import { announce } from "../components/announce.tsx";
import { call } from "../request.ts";
import { pageError, toPetstoreError } from "../request-error.ts";

/** Time in which staging has to answer, in milliseconds. */
const ANSWER_MS = 5_000;

let isOpening = false;

/** Opens a page of staging's console, signed in with the account of this one. */
export async function openStaging(address: string): Promise<void> {
  if (isOpening) return;
  isOpening = true;
  try {
    const { url, token } = await call<SessionTransfer>("POST", "/session/transfer-token");
    await requireAnswer(address);
    submit(url, { token, page: new URL(address).pathname });
  } catch (error) {
    const { code, status, message } = toPetstoreError(error);
    // Only one of the consoles has https: the person signs in there.
    if (code === "conflict") location.assign(address);
    // A session that has ended leads to the sign-in page.
    else if (status !== 401) announce(message);
  } finally {
    isOpening = false;
  }
}

/** Asks whether staging answers: after the form was submitted, only the browser could say that it does not. */
async function requireAnswer(address: string): Promise<void> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const answer = await fetch(new URL("/readyz", address), { signal }).catch(() => undefined);
  if (!answer?.ok)
    throw pageError(`Staging doesn't answer at ${new URL(address).origin}. It may not be running.`);
}

function submit(action: string, fields: Readonly<Record<string, string>>) {
  const form = Object.assign(document.createElement("form"), { method: "post", action });
  for (const [name, value] of Object.entries(fields))
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  document.body.append(form);
  form.submit();
  form.remove();
}
