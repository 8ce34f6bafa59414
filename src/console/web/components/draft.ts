// What people type is kept for the tab's life, so that neither a failed request, nor a lapsed session, nor a reload
// loses it. Secrets are never kept.

const DRAFT = "draft ";
const ATTEMPT = "attempt ";
const OWNER = "owner";

type Values = Readonly<Record<string, string>>;

export function readDraft(form: string): Values | undefined {
  return read<Values>(DRAFT + form);
}

export function keepDraft(form: string, values: Values): void {
  sessionStorage.setItem(DRAFT + form, JSON.stringify(values));
}

export function dropDraft(form: string): void {
  sessionStorage.removeItem(DRAFT + form);
  sessionStorage.removeItem(ATTEMPT + form);
}

/** What is kept belongs to one person: whoever else signs in starts afresh. */
export function ownDrafts(email: string): void {
  const owner = sessionStorage.getItem(OWNER);
  if (owner !== null && owner !== email) forgetDrafts();
  sessionStorage.setItem(OWNER, email);
}

export function forgetDrafts(): void {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(DRAFT) || name.startsWith(ATTEMPT) || name === OWNER) sessionStorage.removeItem(name);
  }
}

/**
 * The idempotency key for sending this content from this form: the same until the content changes or was saved, so
 * that a retry after a lost answer never does the work twice.
 */
export function attemptKey(form: string, content: string): string {
  const last = read<{ readonly content: string; readonly key: string }>(ATTEMPT + form);
  if (last?.content === content) return last.key;
  const key = randomKey();
  sessionStorage.setItem(ATTEMPT + form, JSON.stringify({ content, key }));
  return key;
}

function read<Kept>(name: string): Kept | undefined {
  const text = sessionStorage.getItem(name);
  // Written by this file alone.
  return text === null ? undefined : (JSON.parse(text) as Kept);
}

/** `crypto.randomUUID` is missing where the console is opened without TLS under a name other than localhost. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
