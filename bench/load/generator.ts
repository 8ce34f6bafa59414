// The load generator's process: it runs one job at a time.
import type { Job } from "./job.ts";
import { runJob } from "./run-job.ts";

process.on("message", async (job: Job) => void process.send?.(await runJob(job)));
