import { PROGRAM, type Program } from "../wire/process.ts";

/** Root can open every file. This command takes that right away from root. */
const WITHOUT_RIGHTS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];

/** The program under test, without root's right to open every file. */
export const UNPRIVILEGED: Program = {
  ...PROGRAM,
  command: [...(process.getuid?.() === 0 ? WITHOUT_RIGHTS : []), ...PROGRAM.command],
};
