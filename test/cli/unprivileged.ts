import { PROGRAM, type Program } from "../wire/process.ts";

/** Root can open every file, unless it gives up that right. */
const WITHOUT_RIGHTS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];

/** The program under test, run by a user to whom the permissions of files apply. */
export const UNPRIVILEGED: Program = {
  ...PROGRAM,
  command: [...(process.getuid?.() === 0 ? WITHOUT_RIGHTS : []), ...PROGRAM.command],
};
