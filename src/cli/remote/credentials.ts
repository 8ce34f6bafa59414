import { chmodSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readRemoteSettings } from "../../config/environment.ts";
import { ENVIRONMENTS, type Environment } from "../../context.ts";
import { errorMessage } from "../../errors.ts";
import { describeFileError } from "../../platform/file-errors.ts";
import { writeFileAtomically } from "../terminal/atomic-write.ts";
import { writeWhole } from "../terminal/output.ts";
import { shellQuote } from "../terminal/shell-quote.ts";

const loginSchema = z.object({
  key: z.string(),
  /** Address of the store. The stored key is sent only to this address and to that of the message service. */
  url: z.string(),
  messagesUrl: z.string().optional(),
});
export type Login = z.infer<typeof loginSchema>;

const credentialsSchema = z.partialRecord(z.enum(ENVIRONMENTS), loginSchema);
/** The logins that `petstore login` has stored, one for each environment. */
export type Credentials = z.infer<typeof credentialsSchema>;

/** The permission bits of a file mode for the file's group and for all other users. */
const OTHERS = 0o077;

function folder(): string {
  return join(readRemoteSettings().configHome, "petstore");
}

/** Path of the file with the stored logins, by default `~/.config/petstore/credentials.json`. */
export function credentialsFile(): string {
  return join(folder(), "credentials.json");
}

/** Reads the stored logins. @throws Error if others can read the file, or its format is invalid */
export function readCredentials(): Credentials {
  const file = credentialsFile();
  const status = statSync(file, { throwIfNoEntry: false });
  if (status === undefined) return {};
  if (isOpenToOthers(status.mode))
    throw new Error(
      `Other users of this machine can read the keys in ${file}. Run: chmod 600 ${shellQuote(file)}`,
    );
  const parsed = credentialsSchema.safeParse(parse(readFileSync(file, "utf8")));
  if (parsed.success) return parsed.data;
  throw new Error(`${file} is not a credentials file of petstore. Remove it, and run: petstore login`);
}

/**
 * True if a file's mode allows other users to access the file. Always false on Windows, where every file has mode 0666, and an
 * access control list protects the folder instead.
 */
export function isOpenToOthers(mode: number, platform = process.platform): boolean {
  return platform !== "win32" && (mode & OTHERS) !== 0;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Stores a login atomically. @throws Error with a message that tells the user why the login could not be stored */
export async function storeLogin(environment: Environment, login: Login): Promise<void> {
  try {
    await writeCredentials({ ...readCredentials(), [environment]: login });
  } catch (error) {
    throw new Error(`The login was not stored: ${describeFileError(error) ?? errorMessage(error)}`, {
      cause: error,
    });
  }
}

export async function removeLogin(environment: Environment): Promise<void> {
  const { [environment]: _, ...others } = readCredentials();
  await writeCredentials(others);
}

async function writeCredentials(credentials: Credentials): Promise<void> {
  mkdirSync(folder(), { recursive: true, mode: 0o700 });
  chmodSync(folder(), 0o700);
  const text = `${JSON.stringify(credentials, null, 2)}\n`;
  await writeFileAtomically(credentialsFile(), (descriptor) =>
    writeWhole(descriptor, text, credentialsFile()),
  );
}
