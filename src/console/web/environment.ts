export const REHEARSAL = "/rehearsal";

/** True in the console of staging. The server writes the environment into the document. */
export const isStaging = document.documentElement.dataset["environment"] === "staging";

/** Handles a click on a link to staging: signs the person of production in there. With a key for a new tab, nothing is handled. */
export function enterStaging(event: MouseEvent & { readonly currentTarget: HTMLAnchorElement }) {
  if (isStaging || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { href } = event.currentTarget;
  void import("./account/open-staging.ts").then(
    ({ openStaging }) => openStaging(href),
    // A program that was updated since has other modules.
    () => location.assign(href),
  );
}
