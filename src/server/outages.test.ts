import { expect, test } from "bun:test";
import { unavailable } from "../errors.ts";
import { ReadOnlyServerError, UnreachableError } from "../storage/database.ts";
import { createLogger } from "../telemetry/logger.ts";
import { logOutages } from "./outages.ts";

test("a full queue counts as part of an outage only during one, and a fault of the program never does", () => {
  const said: unknown[] = [];
  const { log } = logOutages({ ...createLogger("silent"), error: (fields: unknown) => said.push(fields) });
  const [away, full, fault] = [
    unavailable("x", undefined, UnreachableError),
    unavailable("x"),
    new Error("x"),
  ];
  for (const err of [full, away, full, away, fault]) log.error({ err }, "fault");
  expect(said).toEqual([full, away, fault].map((err) => ({ err })));
});

test("a read-only phase that begins during an outage is logged once, on its own line", () => {
  const said: unknown[] = [];
  const log = { ...createLogger("silent"), error: (_: unknown, text?: string) => said.push(text) };
  const outages = logOutages(log);
  const [away, readOnly] = [UnreachableError, ReadOnlyServerError].map((Kind) =>
    unavailable("x", undefined, Kind),
  );
  for (const err of [away, readOnly, away, readOnly]) outages.log.error({ err }, "fault");
  expect(said).toEqual([expect.stringContaining("does not answer"), expect.stringContaining("is read-only")]);
});
