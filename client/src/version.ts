/** Version of the package; `npm run lab -- release` writes it here and in package.json. */
export const VERSION = "1.0.0";
