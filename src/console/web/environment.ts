export const REHEARSAL = "/rehearsal";

/** True in staging's console. The server writes the environment into the document. */
export const isStaging = document.documentElement.dataset["environment"] === "staging";

/**
 * Handles a click on a link to staging by signing the person in there. It does nothing if a key is held down that opens a new tab.
 */
export function enterStaging(event: MouseEvent & { readonly currentTarget: HTMLAnchorElement }) {
  if (isStaging || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { href } = event.currentTarget;
  void import("./account/open-staging.ts").then(
    ({ openStaging }) => openStaging(href),
    // If the import fails, the server has probably been updated and has different modules, so the link is simply followed.
    () => location.assign(href),
  );
}
