import type { BunPlugin } from "bun";

/**
 * Has pino not ask which files call it: only its transports, which are not used, need that, and for the answer the runtime
 * reads the source map of the whole program, 30 ms at every start.
 */
export const withoutPinoCallers: BunPlugin = {
  name: "without-pino-callers",
  setup(build) {
    build.onLoad({ filter: /[\\/]pino[\\/]lib[\\/]caller\.js$/ }, () => ({
      contents: "module.exports = () => [];",
      loader: "js",
    }));
  },
};
