import { readFileSync } from "node:fs";

type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

interface SecretFiles {
  /** With the secrets under their own names. */
  readonly environment: EnvironmentVariables;
  /** A line for each file that cannot be used. */
  readonly mistakes: readonly string[];
}

/**
 * Reads each of these variables that is unset from the file that `…_FILE` names, as container platforms hand in secrets; a line
 * break at its end does not count.
 */
export function readSecretFiles(environment: EnvironmentVariables, secrets: readonly string[]): SecretFiles {
  const mistakes: string[] = [];
  const values: Record<string, string> = {};
  for (const name of secrets) {
    const path = environment[`${name}_FILE`];
    // A script that starts the program may have read the file already.
    if (!path || environment[name]) continue;
    const { text, fault } = readText(path);
    if (fault !== undefined) mistakes.push(`${name}_FILE names ${path}, which ${fault}.`);
    else values[name] = text;
  }
  return { environment: { ...environment, ...values }, mistakes };
}

function readText(path: string): { readonly text: string; readonly fault?: string } {
  try {
    const text = readFileSync(path, "utf8").replace(/[\r\n]+$/, "");
    return text === "" ? { text, fault: "is empty" } : { text };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : error;
    return { text: "", fault: `cannot be read (${code})` };
  }
}
