import { expect, test } from "bun:test";
import { startDeadline } from "./deadline.ts";

const DEADLINE_MS = 50;

test("what arrived while the process was busy is processed before the deadline", async () => {
  const happened: string[] = [];
  const late = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  using server = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: {
      data(socket) {
        startDeadline(DEADLINE_MS, () => {
          happened.push("deadline");
          late.resolve();
        });
        socket.end("answer");
        Bun.sleepSync(2 * DEADLINE_MS);
      },
    },
  });
  await Bun.connect({
    hostname: "127.0.0.1",
    port: server.port,
    socket: {
      open: (socket) => void socket.write("question"),
      data() {
        happened.push("answer");
        answered.resolve();
      },
    },
  });
  await Promise.all([answered.promise, late.promise]);
  expect(happened).toEqual(["answer", "deadline"]);
});

test("a deadline that is ended in time is never late", async () => {
  const late: string[] = [];
  const endDeadline = startDeadline(1, () => late.push("ended"));
  endDeadline();
  await new Promise<void>((resolve) => {
    startDeadline(1, resolve);
  });
  expect(late).toEqual([]);
});
