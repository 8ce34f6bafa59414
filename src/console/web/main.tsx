import { render } from "preact";
import { loadSession } from "./account/session.ts";
import { App } from "./app.tsx";
import { startLive } from "./events/live.ts";
import { completeSales } from "./pets/sales.ts";
import { startRouter } from "./router.ts";

const root = document.getElementById("console");
if (root !== null) render(<App />, root);
startRouter();
startLive();
addEventListener("pagehide", () => void completeSales());
void loadSession();
