/** Environment variables that Bun reads only once, when it starts. docs/guides/scale.md says what each is for. */
export const RUNTIME_SETTINGS = {
  MIMALLOC_PURGE_DELAY: "10000",
  BUN_CONFIG_DNS_TIME_TO_LIVE_SECONDS: "1",
};

/**
 * Adds Bun's settings to a set of environment variables. A variable that is already set wins; an empty variable counts as unset, as
 * in compose files.
 */
export function withRuntimeSettings(variables) {
  const settings = Object.entries(RUNTIME_SETTINGS).map(([name, value]) => [name, variables[name] || value]);
  return { ...variables, ...Object.fromEntries(settings) };
}
