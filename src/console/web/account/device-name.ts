const BROWSERS = ["Edg", "OPR", "Firefox", "Chrome", "Safari"] as const;
const NAMES: Readonly<Record<string, string>> = { Edg: "Edge", OPR: "Opera" };
const SYSTEMS = ["Android", "iPhone", "iPad", "Windows", "Mac OS X", "CrOS", "Linux"] as const;

/**
 * Returns a name for a device from its `User-Agent`, such as `Firefox on Linux`. The `User-Agent` of an unknown browser is returned
 * unchanged.
 */
export function deviceName(userAgent: string): string {
  if (userAgent === "") return "Unknown device";
  const browser = BROWSERS.find((name) => userAgent.includes(`${name}/`));
  if (browser === undefined) return userAgent;
  const system = SYSTEMS.find((name) => userAgent.includes(name));
  return (NAMES[browser] ?? browser) + (system === undefined ? "" : ` on ${system.replace(" OS X", "")}`);
}
