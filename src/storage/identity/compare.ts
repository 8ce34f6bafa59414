import { absence, type Fault, type Found } from "./found.ts";
import { type Listed, storeOf } from "./store-list.ts";

/** Marks that several processes may announce at once before the first of them is made. */
const ANNOUNCED_AT_ONCE = 100;

/** Adds to what was found what the accounts' list of the files says against it. */
export function compareWithList(accounts: Found, siblings: readonly Found[]): readonly Found[] {
  if (accounts.fault !== undefined) return [accounts, ...siblings];
  if (accounts.page === undefined) {
    const sibling = siblings.find(({ page, fault }) => page !== undefined || fault !== undefined);
    if (sibling === undefined) return [accounts, ...siblings];
    const message = `${accounts.file} ${absence(accounts.file)}, and ${sibling.file} is there`;
    return [{ ...accounts, fault: { name: accounts.name, remedy: "new-file", message } }, ...siblings];
  }
  // Its contents could not be read because another process is at it.
  if (accounts.contents === undefined) return [accounts, ...siblings];
  const { list } = accounts.contents;
  return [
    accounts,
    ...siblings.map((found) => {
      const fault = found.fault ?? compare(found, list?.get(found.name), accounts.file);
      return fault === undefined ? found : { ...found, fault };
    }),
  ];
}

function compare(found: Found, listed: Listed | undefined, accountsFile: string): Fault | undefined {
  const { name, file, page, contents } = found;
  const fault = (remedy: Fault["remedy"], what: string): Fault => ({
    ...{ name, remedy },
    message: `${file} ${what}`,
  });
  const isMade = listed?.confirmed !== undefined;
  if (page === undefined) return isMade ? fault("new-file", absence(file)) : undefined;
  const isOlder = `is older than it was when ${accountsFile} last recorded it`;
  if (page.applicationId === 0) return isMade ? fault("older", isOlder) : undefined;
  if (listed === undefined)
    return fault("newer", `is not in the list in ${accountsFile}: one of the two was replaced`);
  if (contents?.storeId !== undefined && storeOf(contents.storeId) !== storeOf(listed.storeId))
    return fault("newer", `is of another store than ${accountsFile}`);
  if (page.mark > listed.announced)
    return fault("newer", `is newer than ${accountsFile}, which was put back from a copy`);
  const lowest = listed.confirmed ?? listed.announced - ANNOUNCED_AT_ONCE;
  return page.mark < lowest ? fault("older", isOlder) : undefined;
}
