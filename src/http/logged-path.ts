const PATH_LENGTH_MAX = 512; // maximum number of characters of a path and query that are logged; the rest is cut off

/**
 * A segment, a parameter's name or a value that is logged unchanged. A longer part may be a secret, because the tokens of
 * sessions and links have 43 characters; an encoded part may be one too.
 */
const PART = /[\w.,:~-]{0,31}/.source;
const IS_PART = new RegExp(`^${PART}$`);
const PARAMETER = `(?:[\\w.-]{1,31}=${PART})?`;
/** Path and query of which every part is logged. Each part can end in one place only, so a test takes linear time. */
const PLAIN = new RegExp(`^(?:/${PART})+(?:\\?${PARAMETER}(?:&${PARAMETER})*)?$`);
/** Beginning of an API key or of a webhook's secret. */
const SECRET = /pet_(?:live|test)|whsec/i;
/** Names of parameters whose value is a secret, as in a form that was sent with GET. */
const SECRET_NAME = /pass|pw|secret|token|key|sig|auth|code|cred|session|otp/i;
const CUT = "\\u2026"; // "…" in JSON

/**
 * The path and query of a request for the access log: each part that is or may be a secret, and each unusual part, becomes "…".
 * The result is ASCII that needs no escaping in JSON, where it stands between quotation marks.
 *
 * @param target path and query as sent
 */
export function loggedPath(target: string): string {
  if (target.length > PATH_LENGTH_MAX) return redacted(beginningOf(target)) + CUT;
  return redacted(target);
}

/** Shortens a target to whole parts, because a part that is cut may be the beginning of a secret. */
function beginningOf(target: string): string {
  const text = target.slice(0, PATH_LENGTH_MAX);
  return text.slice(0, 1 + Math.max(...["/", "?", "&", "="].map((separator) => text.lastIndexOf(separator))));
}

function redacted(target: string): string {
  if (PLAIN.test(target) && !SECRET.test(target) && !hasSecretName(target)) return target;
  const [path = "", ...query] = target.split("?");
  const segments = path.split("/");
  // If a secret contains a slash, it continues in the next segments.
  const secret = segments.findIndex((segment) => SECRET.test(segment));
  const shown = segments
    .slice(0, secret < 0 ? undefined : secret + 1)
    .map(shownPart)
    .join("/");
  const parameters = query.length === 0 ? "" : `?${query.join("?").split("&").map(shownParameter).join("&")}`;
  return shown + parameters;
}

function hasSecretName(target: string): boolean {
  const question = target.indexOf("?");
  return question >= 0 && SECRET_NAME.test(target.slice(question));
}

function shownParameter(parameter: string): string {
  const [name = "", ...value] = parameter.split("=");
  const shownName = shownPart(name);
  if (value.length === 0) return shownName;
  // An encoded name may be that of a secret.
  const isSecret = shownName === CUT || SECRET_NAME.test(name);
  return `${shownName}=${isSecret ? CUT : shownPart(value.join("="))}`;
}

function shownPart(part: string): string {
  return IS_PART.test(part) && !SECRET.test(part) ? part : CUT;
}
