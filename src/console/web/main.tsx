import { render } from "preact";
import { loadSession } from "./account/session.ts";
import { App } from "./app.tsx";
import { startLive } from "./events/live.ts";
import { startRouter } from "./router.ts";

const root = document.getElementById("console");
if (root !== null) render(<App />, root);
startRouter();
startLive();
void loadSession();
