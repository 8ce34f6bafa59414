import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from "node:fs";
import { explainFileError } from "./file-errors.ts";

type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Variables that are known but are not settings. They belong to the tests, the compose file or the supervisor. */
const FOREIGN = /^PETSTORE_((TEST|CRASH|FUZZ)_\w+|DATABASE_PASSWORD|SUPERVISED)$/;

/** Variables that Kubernetes sets in each container if there is a Kubernetes service whose name begins with "petstore". */
const SERVICE_LINK = /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/;

/** True for a variable that Kubernetes has set, such as `PETSTORE_PORT=tcp://10.0.0.1:8080`. */
export function isServiceLink(variable: string, value = ""): boolean {
  return SERVICE_LINK.test(variable) || (variable.endsWith("_PORT") && /^(tcp|udp|sctp):\/\//.test(value));
}

/**
 * Returns one line for each unknown variable whose name begins with `PETSTORE_`. The line suggests the known name that is most
 * similar.
 */
function misspeltVariables(environment: EnvironmentVariables, known: readonly string[]): readonly string[] {
  const isKnown = (name: string) => known.includes(name) || FOREIGN.test(name);
  const isMisspelt = ([name, value]: [string, string | undefined]) =>
    name.startsWith("PETSTORE_") &&
    Boolean(value) &&
    // `NAME_FILE` is not a mistake if `NAME` is a setting. It contains the path of a secret's file or, if the setting is not a
    // secret, may belong to somebody's script.
    !isKnown(name.replace(/_FILE$/, "")) &&
    !isServiceLink(name, value);
  return Object.entries(environment)
    .filter(isMisspelt)
    .map(
      ([name]) =>
        `${name} is not a setting of petstore. Did you mean ${nearest(name, known)}? Rename or unset ${name}.`,
    );
}

function nearest(name: string, known: readonly string[]): string | undefined {
  return known.toSorted((a, b) => editDistance(name, a) - editDistance(name, b))[0];
}

/** Returns the Levenshtein distance of two texts: the number of characters that must be inserted, deleted or replaced. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

const SECRET_BYTES_MAX = 65_536; // maximum size of a file that contains a secret (`…_FILE`); a larger file is refused

/**
 * Reads secrets from files, as is usual on container platforms: the variable `NAME_FILE` contains the path of the file with the
 * secret `NAME`. Line breaks at the end of a file are ignored.
 *
 * @returns the environment, in which each secret has its own variable; a line for each file that cannot be used and each unknown
 * variable; and a warning for each file that other users can read or change
 */
export function readVariables(
  environment: EnvironmentVariables,
  secrets: readonly string[],
  known: readonly string[],
) {
  const mistakes = [...misspeltVariables(environment, known)];
  const warnings: string[] = [];
  const values: Record<string, string> = {};
  for (const name of secrets) {
    const path = environment[`${name}_FILE`];
    if (!path) continue;
    if (environment[name]) mistakes.push(`${name} and ${name}_FILE are both set. Unset one of them.`);
    const named = `${name}_FILE names ${path}, which`;
    const refuse = (fault: string) => mistakes.push(`${named} ${fault}.`);
    try {
      // Without O_NONBLOCK, opening a named pipe would block until somebody writes to it.
      const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      const status = fstatSync(descriptor);
      if (!status.isFile()) refuse("is not a regular file");
      else if (status.size > SECRET_BYTES_MAX) refuse(`is larger than ${SECRET_BYTES_MAX} bytes`);
      else values[name] = readFileSync(descriptor, "utf8").replace(/[\r\n]+$/, "");
      if (values[name] === "") refuse("is empty");
      if (isOpenToOthers(status.mode, descriptor))
        warnings.push(
          `Other users of this machine can read or change ${path}, the file that ${name}_FILE names. Run chmod 600 on this file.`,
        );
      closeSync(descriptor);
    } catch (error) {
      const { reason, remedy } = explainFileError(error) ?? { reason: error, remedy: "" };
      mistakes.push(`${named} cannot be read: ${reason}. ${remedy}`.trimEnd());
    }
  }
  return { environment: { ...environment, ...values }, mistakes, warnings };
}

const MOUNTS = "/proc/self/mountinfo";

/**
 * True if every user can read or change a file. Files on a read-only file system are ignored, because containers get their secrets
 * from such file systems. Works only on Linux.
 */
function isOpenToOthers(mode: number, descriptor: number): boolean {
  if ((mode & 0o006) === 0 || !existsSync(MOUNTS)) return false;
  const [, id] = /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8")) ?? [];
  return !new RegExp(`^${id} (\\S+ ){4}ro\\b`, "m").test(readFileSync(MOUNTS, "utf8"));
}
