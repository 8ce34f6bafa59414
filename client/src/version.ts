/** The package's; `npm run lab -- release` writes both. */
export const VERSION = "1.0.0";
