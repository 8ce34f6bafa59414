const PATH_LENGTH_MAX = 512; // characters of a path and query in the log; the rest is cut off

/** Path and query that are logged as they are: printable ASCII without `"`, `\` and `%`, within the limit. */
const PLAIN = /^[!#$&-[\]^-~]{0,512}$/;

/** Shortest run of letters and digits that may be a key, or the token of a session or link, in characters. */
const SECRET_LENGTH_MIN = 32;
const MAY_BE_SECRET = /\w{32}|whsec_/;
/** The value of a parameter whose name says that it is a secret, as in a form that was sent with GET. */
const NAMED_SECRETS = /([?&][^=&]*(?:pass|pw|secret|token|key|sig)[^=&]*=)[^&]*/gi;
const SECRETS = /(pet_(?:live|test)_|whsec_)[\w+/=-]+|\w{32,}/g;

/**
 * The path and query of a request as the access log has them: keys, tokens and all that may be one are redacted as `…`, a long
 * one is cut. The result is ASCII that needs no escaping in JSON, where it stands between quotation marks.
 *
 * @param target path and query as sent
 * @param isAccepted true if the query has been checked: it then has no parameters but those of the operation
 */
export function loggedPath(target: string, isAccepted: boolean): string {
  const isKnown = isAccepted || !target.includes("?");
  const isShort = target.length < SECRET_LENGTH_MIN;
  if (isKnown && PLAIN.test(target) && (isShort || !MAY_BE_SECRET.test(target))) return target;
  const redacted = target
    .toWellFormed()
    // An encoded letter is that letter (RFC 3986 §6.2.2.2), and would hide a key.
    .replaceAll(/%[2-7][0-9A-Fa-f]/g, (encoded) => {
      const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : encoded;
    })
    .replaceAll(NAMED_SECRETS, "$1…")
    .replaceAll(SECRETS, "$1…")
    .replaceAll(/[^!#-[\]^-~…]/gu, encodeURIComponent);
  const cut = redacted.length > PATH_LENGTH_MAX ? `${redacted.slice(0, PATH_LENGTH_MAX)}…` : redacted;
  return cut.replaceAll("…", "\\u2026");
}
