// `npm run lab -- browsers` tests the console in Firefox and WebKit.
import { missingPackages } from "./remote-browser.ts";

const missing = missingPackages();
if (missing === undefined) {
  const tests = Bun.spawn([process.execPath, "scripts/test.ts", "test/extra/browsers/"], {
    stdio: ["inherit", "inherit", "inherit"],
  });
  process.exitCode = await tests.exited;
} else {
  console.error(missing);
  process.exitCode = 1;
}
