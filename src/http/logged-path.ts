const PATH_LENGTH_MAX = 512; // characters of a path and query that are looked at; the rest is cut off

/**
 * A segment, a parameter's name or a value that is logged as it is. Session tokens and those of links have 43 characters, an
 * encoded one may be anything.
 */
const PART = /[\w.,:~-]{0,31}/.source;
const IS_PART = new RegExp(`^${PART}$`);
const PARAMETER = `(?:[\\w.-]{1,31}=${PART})?`;
/** Path and query whose parts are all logged; no part can end in two places, so that a test takes linear time. */
const PLAIN = new RegExp(`^(?:/${PART})+(?:\\?${PARAMETER}(?:&${PARAMETER})*)?$`);
/** Begins an API key or a webhook's secret, which may be cut short. */
const SECRET = /pet_(?:live|test)|whsec/i;
/** Names of parameters whose value is a secret, as in a form that was sent with GET. */
const SECRET_NAME = /pass|pw|secret|token|key|sig|auth|code|cred|session|otp/i;
const CUT = "\\u2026"; // "…" in JSON

/**
 * The path and query of a request as the access log has them: each part that is or may be a secret, and each unusual one, is
 * "…". The result is ASCII that needs no escaping in JSON, where it stands between quotation marks.
 *
 * @param target path and query as sent
 */
export function loggedPath(target: string): string {
  if (target.length > PATH_LENGTH_MAX) return redacted(beginningOf(target)) + CUT;
  return redacted(target);
}

/** Whole parts only: what is cut off at the end may be the beginning of a secret. */
function beginningOf(target: string): string {
  const text = target.slice(0, PATH_LENGTH_MAX);
  return text.slice(0, 1 + Math.max(...["/", "?", "&", "="].map((separator) => text.lastIndexOf(separator))));
}

function redacted(target: string): string {
  if (PLAIN.test(target) && !SECRET.test(target) && !hasSecretName(target)) return target;
  const [path = "", ...query] = target.split("?");
  const segments = path.split("/");
  // A secret with a slash in it continues in the segments that follow.
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
