/**
 * True if this browser supports passkeys, and accepts their options as JSON (WebAuthn Level 3). Browsers support passkeys only
 * over HTTPS and on localhost.
 */
export const hasPasskeys = "parseRequestOptionsFromJSON" in (window.PublicKeyCredential ?? {});

export const PASSWORD_HINT = "At least 8 characters. Several words in a row make a strong password.";

/** Returns a message for each field that is empty. */
export function missing(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const empty = Object.entries(values).filter(([name, value]) =>
    /password$/i.test(name) ? value === "" : value.trim() === "",
  );
  return Object.fromEntries(empty.map(([name]) => [name, "is required"]));
}
