// The load generator: a process of its own, on a core of its own, that does one job after the other.
import type { Job } from "./job.ts";
import { runJob } from "./run-job.ts";

process.on("message", async (job: Job) => void process.send?.(await runJob(job)));
