// Runs inside the page. All boxes are in CSS pixels, relative to the viewport.

/** The tolerance in CSS pixels. It covers half a device pixel and rounding errors. */
const TOLERANCE = 1;

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A text node or a form control, and the boxes that it occupies on the page. */
interface Piece {
  readonly node: Text | Element;
  readonly owner: Element;
  readonly boxes: readonly Box[];
}

const CONTROLS = "a[href], button, input, select, textarea, svg, progress";

Object.assign(globalThis, { findGeometryFaults, findOverlaps });

/**
 * Finds faults in the layout: elements that are cut off or extend beyond their frame or the viewport, table rows whose text is not
 * aligned, and dialogs that are not centred.
 */
function findGeometryFaults(): readonly string[] {
  const root = document.documentElement;
  const faults: string[] = [];
  if (root.scrollWidth > root.clientWidth)
    faults.push(`the page scrolls sideways: ${root.scrollWidth} px in ${root.clientWidth}`);
  for (const piece of piecesOf(document.body)) faults.push(...faultsOf(piece));
  faults.push(...crookedRows());
  const dialog = document.querySelector("dialog[open]");
  if (dialog !== null) faults.push(...faultsOfDialog(dialog));
  return [...new Set([...faults, ...smallTargets(dialog ?? document.body)])];
}

/** Returns the table cells whose first line of text is not aligned with the header of their row. */
function crookedRows(): readonly string[] {
  const rows = [...document.querySelectorAll("tbody tr")].filter(
    (row) => getComputedStyle(row).display === "table-row",
  );
  const marks = rows.flatMap((row) =>
    [...row.querySelectorAll(":scope > :is(th, td)")].flatMap((cell) => {
      const text = firstText(cell);
      const mark = document.createElement("span");
      // An empty inline block stands on the baseline of the text, so its position shows where the baseline is.
      mark.style.display = "inline-block";
      text?.before(mark);
      return text === undefined ? [] : [{ row, cell, text, mark }];
    }),
  );
  const measured = marks.map((one) => ({ ...one, baseline: one.mark.getBoundingClientRect().bottom }));
  for (const { mark } of marks) mark.remove();
  return measured.flatMap(({ row, text, cell, baseline }) => {
    const header = measured.find((other) => other.row === row)?.baseline ?? baseline;
    const off = Math.round((baseline - header) * 100) / 100;
    return off === 0
      ? []
      : [`${selectorOf(cell)} "${text.data.trim()}" stands ${off} px below its row's header`];
  });
}

function firstText(cell: Element): Text | undefined {
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    if (node.data.trim() !== "" && node.parentElement !== null && isShown(node.parentElement)) return node;
  }
  return undefined;
}

/** Finds texts and form controls that cover each other. */
function findOverlaps(): readonly string[] {
  const scope = document.querySelector("dialog[open]") ?? document.body;
  const pieces = piecesOf(scope)
    .filter(({ owner }) => !isLifted(owner))
    .map((piece) => ({ ...piece, boxes: piece.boxes.map((box) => clipped(box, piece.owner)) }));
  return pieces.flatMap((piece, index) =>
    pieces
      .slice(index + 1)
      .filter((other) => !piece.node.contains(other.node) && !other.node.contains(piece.node))
      .filter((other) => piece.boxes.some((box) => other.boxes.some((it) => isCovering(box, it))))
      .map((other) => `${nameOf(piece)} covers ${nameOf(other)}`),
  );
}

function piecesOf(scope: Element): readonly Piece[] {
  const pieces: Piece[] = [];
  const walker = document.createTreeWalker(scope, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const owner = node instanceof Element ? node : node.parentElement;
    if (owner === null || !isShown(owner)) continue;
    if (node instanceof Element && node.matches(CONTROLS))
      pieces.push({ node, owner, boxes: [...node.getClientRects()] });
    if (!(node instanceof Text) || node.data.trim() === "" || owner.closest("svg, select, textarea"))
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    pieces.push({ node, owner, boxes: [...range.getClientRects()] });
  }
  return pieces.filter(({ boxes }) => boxes.length > 0);
}

/** Returns true if the element is visible. Content that is only for screen readers does not count as visible. */
function isShown(element: Element): boolean {
  if (!element.checkVisibility({ visibilityProperty: true })) return false;
  for (let at: Element | null = element; at !== null; at = at.parentElement)
    if (getComputedStyle(at).clipPath !== "none") return false;
  return true;
}

/** Returns true if the element is meant to cover what is behind it, as a menu does. */
function isLifted(element: Element): boolean {
  for (
    let at: Element | null = element;
    at !== null && !(at instanceof HTMLDialogElement);
    at = at.parentElement
  )
    if (["absolute", "fixed", "sticky"].includes(getComputedStyle(at).position)) return true;
  return false;
}

function faultsOf(piece: Piece): readonly string[] {
  const name = nameOf(piece);
  const faults: string[] = [];
  const { position } = getComputedStyle(piece.owner);
  const first = piece.node instanceof Text ? piece.owner : piece.owner.parentElement;
  let shown = around(piece.boxes);
  for (let at = first; at !== null && at !== document.body && position !== "fixed"; at = at.parentElement) {
    const style = getComputedStyle(at);
    if (isFrame(style) && !isShortened(piece, at, style)) faults.push(...leaving(name, shown, at, style));
    // Content that is clipped or scrolled out of view cannot cover anything.
    if (style.overflowY !== "visible") shown = common(shown, at.getBoundingClientRect());
    if (["absolute", "fixed"].includes(style.position)) break;
  }
  if (shown.left < -TOLERANCE || shown.right > innerWidth + TOLERANCE)
    faults.push(`${name} leaves the viewport`);
  return faults;
}

/**
 * Returns true if a text is allowed to be cut off. In tabs it is, because tabs can be scrolled. Elsewhere, the text must end with
 * an ellipsis and have a tooltip with the whole text or, for a time, the exact time.
 */
function isShortened({ node, owner }: Piece, frame: Element, { textOverflow }: CSSStyleDeclaration): boolean {
  const tooltip = owner.closest("time") ? node.textContent : owner.closest("[title]")?.getAttribute("title");
  const isWhole = tooltip?.includes((node.textContent ?? "").trim()) === true;
  return frame.matches("nav.tabs") || (textOverflow === "ellipsis" && isWhole);
}

function isFrame({
  display,
  overflowX,
  borderInlineEndWidth,
  backgroundColor,
}: CSSStyleDeclaration): boolean {
  if (display === "inline" || display === "contents") return false;
  return overflowX !== "visible" || borderInlineEndWidth !== "0px" || backgroundColor !== "rgba(0, 0, 0, 0)";
}

function leaving(name: string, box: Box, frame: Element, style: CSSStyleDeclaration): readonly string[] {
  const edges = frame.getBoundingClientRect();
  const faults: string[] = [];
  if (box.left < edges.left - TOLERANCE || box.right > edges.right + TOLERANCE)
    faults.push(`${name} leaves ${selectorOf(frame)} sideways`);
  // A text that CSS limits to a number of lines is allowed, because people can read the rest: a button shows it, or the whole text
  // is shown elsewhere.
  const isScrolled = ["auto", "scroll"].includes(style.overflowY) || style.webkitLineClamp !== "none";
  if (!isScrolled && (box.top < edges.top - TOLERANCE || box.bottom > edges.bottom + TOLERANCE))
    faults.push(`${name} leaves ${selectorOf(frame)} at the top or bottom`);
  return faults;
}

function faultsOfDialog(dialog: Element): readonly string[] {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const faults: string[] = [];
  if (Math.abs(left - (clientWidth - right)) > 2 * TOLERANCE)
    faults.push(`the dialog is not in the middle: ${left} px left of it, ${clientWidth - right} right of it`);
  if (Math.abs(top - (clientHeight - bottom)) > 2 * TOLERANCE)
    faults.push(`the dialog is not in the middle: ${top} px above it, ${clientHeight - bottom} below it`);
  if (left < 0 || top < 0) faults.push("the dialog leaves the viewport");
  return faults;
}

function isCovering(one: Box, other: Box): boolean {
  // Lines of text may overlap slightly, because a font reserves space for accents above each line.
  const height = Math.min(one.bottom - one.top, other.bottom - other.top);
  const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
  const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return across > 2 * TOLERANCE && down > Math.max(2 * TOLERANCE, height / 4);
}

function common(one: Box, other: Box): Box {
  return {
    left: Math.max(one.left, other.left),
    right: Math.min(one.right, other.right),
    top: Math.max(one.top, other.top),
    bottom: Math.min(one.bottom, other.bottom),
  };
}

/** Returns the part of an element's box that its ancestors do not clip. */
function clipped(box: Box, owner: Element): Box {
  let shown = box;
  for (let at: Element | null = owner; at !== null && at !== document.body; at = at.parentElement)
    if (getComputedStyle(at).overflowY !== "visible") shown = common(shown, at.getBoundingClientRect());
  return shown;
}

/** The minimum size of a target in CSS pixels (WCAG 2.2, success criterion 2.5.8). */
const TARGET = 24;
const TARGETS = "a[href], button, input, select, textarea, summary, [role=option], [role=tab]";

/**
 * Returns the click targets that are smaller than 24 px and too close to another one. The distance is too small if a circle of 24
 * px around the small target touches the other target or, if both are small, the circle of the other target. Links within sentences
 * are exempt.
 */
function smallTargets(scope: Element): readonly string[] {
  const targets = [...scope.querySelectorAll(TARGETS)]
    .filter((element) => isShown(element) && !(element instanceof HTMLAnchorElement && isInSentence(element)))
    .map((element) => {
      const box = (element.closest("label") ?? element).getBoundingClientRect();
      return { element, box, isSmall: Math.min(box.width, box.height) < TARGET - TOLERANCE / 2 };
    });
  return targets
    .filter(({ element, box, isSmall }) =>
      targets.some((other) => isSmall && other.element !== element && isNear(box, other.box, other.isSmall)),
    )
    .map(({ element, box: { width, height } }) => {
      const name = nameOf({ node: element, owner: element, boxes: [] });
      return `${name} is a target of ${Math.round(width)} × ${Math.round(height)} px too close to another one`;
    });
}

function isInSentence(link: Element): boolean {
  const text = link.parentElement?.textContent?.trim() ?? "";
  return getComputedStyle(link).display === "inline" && text !== link.textContent?.trim();
}

function isNear(small: DOMRect, other: DOMRect, isOtherSmall: boolean): boolean {
  const x = small.left + small.width / 2;
  const y = small.top + small.height / 2;
  const center = new DOMRect(other.left + other.width / 2, other.top + other.height / 2);
  if (isOtherSmall && Math.hypot(center.x - x, center.y - y) < TARGET - TOLERANCE) return true;
  const nearest = {
    x: Math.min(Math.max(x, other.left), other.right),
    y: Math.min(Math.max(y, other.top), other.bottom),
  };
  return Math.hypot(nearest.x - x, nearest.y - y) < TARGET / 2 - TOLERANCE;
}

function around(boxes: readonly Box[]): Box {
  return {
    left: Math.min(...boxes.map(({ left }) => left)),
    right: Math.max(...boxes.map(({ right }) => right)),
    top: Math.min(...boxes.map(({ top }) => top)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  };
}

function nameOf({ node, owner }: Piece): string {
  const text = node instanceof Text ? node.data : (node.getAttribute("aria-label") ?? node.textContent ?? "");
  return `${selectorOf(owner)} "${text.trim().slice(0, 30)}"`;
}

function selectorOf(element: Element): string {
  const names = [element.localName, ...(element.getAttribute("class") ?? "").split(" ").filter(Boolean)];
  return names.join(".");
}
