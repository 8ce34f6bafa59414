/** True if the browser supports passkeys here, with their options in JSON (WebAuthn Level 3): only over HTTPS and on localhost. */
export const hasPasskeys = "parseRequestOptionsFromJSON" in (window.PublicKeyCredential ?? {});

export const PASSWORD_HINT = "At least 8 characters. Several words in a row make a strong password.";

/** A problem for each empty field. */
export function missing(values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const empty = Object.entries(values).filter(([name, value]) =>
    /password$/i.test(name) ? value === "" : value.trim() === "",
  );
  return Object.fromEntries(empty.map(([name]) => [name, "is required"]));
}
