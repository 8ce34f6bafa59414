/** The package's; `npm run release` writes both. */
export const VERSION = "1.0.0";
