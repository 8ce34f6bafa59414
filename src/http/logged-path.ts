const PATH_LENGTH_MAX = 512; // maximum length of a logged path with its query; the rest is cut off

/**
 * Matches a path segment, parameter name or value that is short enough to be logged unchanged. Longer ones are replaced, because
 * they may be secrets: the tokens of sessions and links have 43 characters. Percent-encoded ones are replaced too.
 */
const PART = /[\w.,:~-]{0,31}/.source;
const IS_PART = new RegExp(`^${PART}$`);
const PARAMETER = `(?:[\\w.-]{1,31}=${PART})?`;
/**
 * Matches a path and query that are logged completely. Each part of the pattern can end in only one place, so matching takes
 * linear time.
 */
const PLAIN = new RegExp(`^(?:/${PART})+(?:\\?${PARAMETER}(?:&${PARAMETER})*)?$`);
/** Beginning of an API key or a webhook secret. */
const SECRET = /pet_(?:live|test)|whsec/i;
/** Names of parameters whose values are secrets, for example because a form was submitted with GET. */
const SECRET_NAME = /pass|pw|secret|token|key|sig|auth|code|cred|session|otp/i;
const CUT = "\\u2026"; // "…" in JSON

/**
 * Makes the path and query of a request safe for the access log: replaces each part that is unusual, or may be a secret, by "…".
 * The result is ASCII and needs no escaping within a JSON string.
 *
 * @param target the path and query, as the client sent them
 */
export function loggedPath(target: string): string {
  if (target.length > PATH_LENGTH_MAX) return redacted(beginningOf(target)) + CUT;
  return redacted(target);
}

/** Shortens a target, but cuts it only between two parts. A secret that is cut in half would no longer be recognized. */
function beginningOf(target: string): string {
  const text = target.slice(0, PATH_LENGTH_MAX);
  return text.slice(0, 1 + Math.max(...["/", "?", "&", "="].map((separator) => text.lastIndexOf(separator))));
}

function redacted(target: string): string {
  if (PLAIN.test(target) && !SECRET.test(target) && !hasSecretName(target)) return target;
  const [path = "", ...query] = target.split("?");
  const segments = path.split("/");
  // A secret may contain slashes. The segments after the one in which a secret begins are therefore left out of the log.
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
  // A percent-encoded name may be the name of a secret, so its value is replaced, too.
  const isSecret = shownName === CUT || SECRET_NAME.test(name);
  return `${shownName}=${isSecret ? CUT : shownPart(value.join("="))}`;
}

function shownPart(part: string): string {
  return IS_PART.test(part) && !SECRET.test(part) ? part : CUT;
}
