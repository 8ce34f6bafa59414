import type { SessionTransfer } from "../../../accounts/contract.ts";
import { announce } from "../components/announce.tsx";
import { call } from "../request.ts";
import { pageError, toPetstoreError } from "../request-error.ts";

/** How long to wait for a response from staging, in milliseconds. */
const ANSWER_MS = 5_000;

let isOpening = false;

/** Opens a page of staging's console, and signs the person in there with the same account. */
export async function openStaging(address: string): Promise<void> {
  if (isOpening) return;
  isOpening = true;
  try {
    const { url, token } = await call<SessionTransfer>("POST", "/session/transfer-token");
    await requireAnswer(address);
    submit(url, { token, page: new URL(address).pathname });
  } catch (error) {
    const { code, status, message } = toPetstoreError(error);
    // Only one of the two consoles uses HTTPS, so the sign-in cannot be transferred. The person signs in to staging instead.
    if (code === "conflict") location.assign(address);
    // A 401 means that the session has ended; the sign-in page is then already shown.
    else if (status !== 401) announce(message);
  } finally {
    isOpening = false;
  }
}

/**
 * Checks that staging responds. This happens before the form is submitted, because afterwards only the browser could report an
 * error.
 */
async function requireAnswer(address: string): Promise<void> {
  const signal = AbortSignal.timeout(ANSWER_MS);
  const answer = await fetch(new URL("/readyz", address), { signal }).catch(() => undefined);
  if (!answer?.ok)
    throw pageError(`Staging doesn't answer at ${new URL(address).origin}. Staging may not be running.`);
}

function submit(action: string, fields: Readonly<Record<string, string>>) {
  const form = Object.assign(document.createElement("form"), { method: "post", action });
  for (const [name, value] of Object.entries(fields))
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  document.body.append(form);
  form.submit();
  form.remove();
}
