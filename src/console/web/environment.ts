export const REHEARSAL = "/rehearsal";

/** True in staging's console. The server writes the environment into the document. */
export const isStaging = document.documentElement.dataset["environment"] === "staging";

/**
 * Handles a click on a link to staging: signs the person in to staging. It does nothing if the person holds down a key that makes
 * the browser open a new tab or window.
 */
export function enterStaging(event: MouseEvent & { readonly currentTarget: HTMLAnchorElement }) {
  if (isStaging || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { href } = event.currentTarget;
  void import("./account/open-staging.ts").then(
    ({ openStaging }) => openStaging(href),
    // If the code for signing in to staging cannot be loaded, the server has probably been updated and has different modules, so
    // the browser just follows the link.
    () => location.assign(href),
  );
}
