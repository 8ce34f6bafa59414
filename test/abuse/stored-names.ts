import { send } from "../wire/send.ts";

export async function storedNames(production: string, key: string): Promise<readonly string[]> {
  const names: string[] = [];
  let address: string | undefined = `${production}/pets?limit=100`;
  while (address !== undefined) {
    const page = await send("GET", address, { key });
    names.push(...page.json.map(({ name }: { name: string }) => name));
    address = /<([^>]+)>; rel="next"/.exec(page.headers.get("Link") ?? "")?.[1];
  }
  return names;
}
