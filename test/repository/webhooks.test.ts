import { describe, expect, test } from "bun:test";
import { petstoreDocument } from "../../src/api/openapi-documents.ts";
import { DELIVERY_JITTER } from "../../src/delivery/worker.ts";
import { DELIVERY_DELAYS_MS, DELIVERY_TIMEOUT_MS } from "../../src/limits.ts";
import { blocksOf, PROJECT } from "./documents.ts";

// docs/guides/webhooks.md must agree with the OpenAPI document and with the limits in the code. test/client/webhook*.long.test.ts
// run the programs in the guide.

const guide = await Bun.file(`${PROJECT}docs/guides/webhooks.md`).text();
const HOUR_MS = 3_600_000;

function sectionUnder(heading: string): string {
  return guide.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
}

/** Returns the first cell of each row in the guide's table under this heading. */
function rowsUnder(heading: string): readonly string[] {
  return [...sectionUnder(heading).matchAll(/^\| `([^`]+)` \|/gm)].map(([, cell = ""]) => cell);
}

describe("docs/guides/webhooks.md", () => {
  test("has the types of all deliveries, and no other, and the OpenAPI document's example of one", async () => {
    const { requests } = petstoreDocument.webhooks;
    const listed =
      sectionUnder("Types")
        .match(/^- .*$/gm)
        ?.join("\n") ?? "";
    const types = [...listed.matchAll(/`(\w+\.\w+)`/g)].map(([, type]) => type);
    expect(types).toEqual(requests.flatMap((request) => request.types));
    const shown = (await blocksOf("docs/guides/webhooks.md", "json")).map((block) => JSON.parse(block));
    expect(shown).toEqual([requests.find((request) => request.types.includes(shown[0].type))?.example]);
  });

  test("has every member of an event, and every header field of a delivery", async () => {
    const { webhooks, components } = await Bun.file(`${PROJECT}openapi/petstore.json`).json();
    expect(rowsUnder("The body of a delivery")).toEqual(
      Object.keys(components.schemas.PetEventPayload.properties),
    );
    const parameters: { $ref: string }[] = webhooks.pet.post.parameters;
    const names = parameters.map(({ $ref }) => components.parameters[$ref.split("/").at(-1) ?? ""].name);
    expect(rowsUnder("Header fields")).toEqual([...names, "Content-Type"]);
  });

  test("has the schedule of the retries, and the time for an answer", () => {
    const pauses = DELIVERY_DELAYS_MS.slice(1).map(inUnits);
    const text = guide.replaceAll(/\s+/g, " ");
    expect(text).toContain(`after waits of ${pauses.slice(0, -1).join(", ")} and ${pauses.at(-1)}`);
    expect(text).toContain(`up to ${DELIVERY_JITTER * 100} % longer`);
    expect(DELIVERY_DELAYS_MS).toHaveLength(10);
    expect(guide).toContain("ten attempts");
    const sum = DELIVERY_DELAYS_MS.reduce((all: number, delay) => all + delay, 0) * (1 + DELIVERY_JITTER);
    expect(guide).toMatch(/\b84\s+hours/);
    expect(Math.ceil(sum / HOUR_MS)).toBe(84);
    expect(guide).toContain(`no answer within ${DELIVERY_TIMEOUT_MS / 1_000} s`);
  });
});

function inUnits(duration: number): string {
  if (duration < 60_000) return `${duration / 1_000} s`;
  return duration < HOUR_MS ? `${duration / 60_000} min` : `${duration / HOUR_MS} h`;
}
