export const REHEARSAL = "/rehearsal";

/** True in the console of staging: the server writes its environment into the document. */
export const isStaging = document.documentElement.dataset["environment"] === "staging";
