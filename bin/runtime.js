/** Environment variables that Bun reads only when it starts. docs/guides/scale.md explains each of them. */
export const RUNTIME_SETTINGS = {
  MIMALLOC_PURGE_DELAY: "10000",
  BUN_CONFIG_DNS_TIME_TO_LIVE_SECONDS: "1",
};

/**
 * Adds the settings for Bun to the environment variables, unless they are already set. As in compose files, an empty variable
 * counts as not set.
 */
export function withRuntimeSettings(variables) {
  const settings = Object.entries(RUNTIME_SETTINGS).map(([name, value]) => [name, variables[name] || value]);
  return { ...variables, ...Object.fromEntries(settings) };
}
