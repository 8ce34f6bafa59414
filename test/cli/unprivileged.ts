import { PROGRAM, type Program } from "../wire/process.ts";

/** The root user can open every file. With this command in front, a program that root runs cannot. */
const WITHOUT_RIGHTS = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"];

/** The program under test, without root's right to open every file. */
export const UNPRIVILEGED: Program = {
  ...PROGRAM,
  command: [...(process.getuid?.() === 0 ? WITHOUT_RIGHTS : []), ...PROGRAM.command],
};
