// Preloaded into a server, it is the clock of the test: a wait of ten seconds and more takes 0.3 seconds.

const LONG_MS = 10_000;
const SHORT_MS = 300;

const { setTimeout: wait } = globalThis;
const shortened = (work: () => void, milliseconds = 0) =>
  wait(work, milliseconds >= LONG_MS ? SHORT_MS : milliseconds);
Object.assign(globalThis, { setTimeout: shortened });
