import { expect, test } from "bun:test";
import { unavailable } from "../errors.ts";
import { UnreachableError } from "../storage/database.ts";
import { createLogger } from "../telemetry/logger.ts";
import { logOutages } from "./outages.ts";

test("while an outage lasts, a full queue is part of it, too; a fault of the program is not, and before it neither is", () => {
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
