/** Browsers have passkeys at https addresses and at localhost. */
export const hasPasskeys = "PublicKeyCredential" in window;
