import "./shared-by-screens.ts";
import { render } from "preact";
import { App } from "./app.tsx";
import { startLive } from "./events/live.ts";
import { completeSales } from "./pets/sales.ts";
import { startRouter } from "./router.ts";
import { startSteadyPress } from "./steady-press.ts";
import { applyTheme } from "./theme.ts";

applyTheme();
const root = document.getElementById("console");
if (root !== null) render(<App />, root);
startRouter();
startSteadyPress();
startLive();
addEventListener("pagehide", () => void completeSales());
