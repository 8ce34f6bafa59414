import { PROGRAM, type Program } from "../wire/process.ts";

/** Root is refused no file, unless it gives up that right. */
const WITHOUT_RIGHTS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];

/** The program under test as a user whom the permissions of files bind. */
export const UNPRIVILEGED: Program = {
  ...PROGRAM,
  command: [...(process.getuid?.() === 0 ? WITHOUT_RIGHTS : []), ...PROGRAM.command],
};
