import { render } from "preact";
import { App } from "./app.tsx";
import { startRouter } from "./router.ts";
import { loadSession } from "./session.ts";

const root = document.getElementById("console");
if (root !== null) render(<App />, root);
startRouter();
void loadSession();
