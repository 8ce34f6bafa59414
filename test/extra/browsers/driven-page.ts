import type { RemoteBrowser } from "./remote-browser.ts";

/** The code points that WebDriver uses for keys such as Enter and Tab. */
const KEYS = { Enter: "\uE007", Tab: "\uE004", ArrowDown: "\uE015", Escape: "\uE00C" } as const;

/**
 * The maximum time to wait for something on the page. It is shorter than a test's timeout, so that the wait fails first, with an
 * error message that shows the page's text.
 */
const DEADLINE_MS = 50_000;

/** The elements that a click can be aimed at. An element that is covered by another one is not clicked. */
const CONTROLS = "a[href], button, input, select, textarea, [role=option]";

const NAME_OF = `(element) =>
  (element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent).trim()`;

export interface DrivenPage {
  open(path: string): Promise<void>;
  /** Evaluates a JavaScript expression in the page again and again until it is truthy, and returns its value. */
  waitFor<Value>(expression: string): Promise<Value>;
  waitForText(text: string): Promise<void>;
  /** Clicks the first visible control whose accessible name begins with `name`. */
  click(name: string): Promise<void>;
  type(text: string): Promise<void>;
  press(key: keyof typeof KEYS): Promise<void>;
  /** Presses Tab until the control with this name has the focus. */
  tabTo(name: string): Promise<void>;
}

export function drive(browser: RemoteBrowser, origin: string): DrivenPage {
  const page: DrivenPage = {
    open: (path) => browser.open(origin + path),
    waitFor: (expression) =>
      browser.evaluate(`new Promise((resolve, reject) => {
        const endsAt = performance.now() + ${DEADLINE_MS};
        const look = () => {
          const value = (() => ${expression})();
          if (value) resolve(value);
          else if (performance.now() < endsAt) requestAnimationFrame(look);
          else reject(new Error("It did not come: " + ${JSON.stringify(expression)} + document.body.innerText));
        };
        look();
      })`),
    async waitForText(text) {
      await page.waitFor(`document.body.innerText.includes(${JSON.stringify(text)})`);
    },
    async click(name) {
      const { x, y } = await page.waitFor<{ x: number; y: number }>(`{
        const scope = document.querySelector("dialog[open]") ?? document;
        const control = [...scope.querySelectorAll("${CONTROLS}")].find(
          (element) => element.checkVisibility() && element.ariaDisabled !== "true" && (${NAME_OF})(element).startsWith(${JSON.stringify(name)}));
        if (control === undefined) return;
        control.scrollIntoView({ block: "center" });
        const { left, top, width, height } = control.getBoundingClientRect();
        const point = { x: Math.round(left + width / 2), y: Math.round(top + height / 2) };
        // The click waits until the element has stopped moving. Otherwise it would miss the element.
        const { at, frames = 0 } = globalThis.aimed ?? {};
        globalThis.aimed = { at: point, frames: at?.x === point.x && at?.y === point.y ? frames + 1 : 0 };
        const isHit = control.contains(document.elementFromPoint(point.x, point.y));
        if (isHit && globalThis.aimed.frames >= 10) return point;
      }`);
      await browser.evaluate("void (globalThis.aimed = undefined)");
      const actions = [
        { type: "pointerMove", x, y },
        { type: "pointerDown", button: 0 },
        { type: "pointerUp", button: 0 },
      ];
      await browser.perform([
        { type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions },
      ]);
    },
    async type(text) {
      const actions = [...text].flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]);
      await browser.perform([{ type: "key", id: "keyboard", actions }]);
    },
    press: (key) => page.type(KEYS[key]),
    async tabTo(name) {
      for (let step = 0; step < 60; step++) {
        await page.press("Tab");
        if ((await browser.evaluate<string>(`(${NAME_OF})(document.activeElement)`)).startsWith(name)) return;
      }
      throw new Error(`Tab never came to ${name}.`);
    },
  };
  return page;
}
