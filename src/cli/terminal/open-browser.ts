import { readRemoteSettings } from "../../config/environment.ts";

/** Opens an address in the user's browser. Returns false if there is no program that opens addresses. */
export function openBrowser(address: string): boolean {
  const opener = openerOf();
  if (opener === undefined) return false;
  try {
    // The browser runs detached, so that it stays open when the terminal closes.
    Bun.spawn([...opener, address], {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
      detached: true,
    }).unref();
    return true;
  } catch {
    return false;
  }
}

/** Returns the command that opens an address: the program in the variable `BROWSER`, or the standard command of the desktop. */
function openerOf(): readonly string[] | undefined {
  const { browser, hasDesktop } = readRemoteSettings();
  if (browser !== undefined) return [browser];
  if (process.platform === "darwin") return ["open"];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return hasDesktop && Bun.which("xdg-open") !== null ? ["xdg-open"] : undefined;
}
