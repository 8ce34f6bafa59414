import { readRemoteSettings } from "../../config.ts";

/** Opens an address in the person's browser. Returns false if there is no program for that. */
export function openBrowser(address: string): boolean {
  const opener = openerOf();
  if (opener === undefined) return false;
  try {
    // Detached, so that the browser stays open when the terminal is closed.
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

/** Command that opens an address: the program in `BROWSER`, or that of the desktop. */
function openerOf(): readonly string[] | undefined {
  const { browser, hasDesktop } = readRemoteSettings();
  if (browser !== undefined) return [browser];
  if (process.platform === "darwin") return ["open"];
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"];
  return hasDesktop && Bun.which("xdg-open") !== null ? ["xdg-open"] : undefined;
}
