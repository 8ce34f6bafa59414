import { hasPeople } from "../../accounts/accounts.ts";
import { createInvitation } from "../../accounts/invitations/invitations.ts";
import { describeSignUp, signUpPolicyOf } from "../../accounts/sign-up.ts";
import { type Config, SETTINGS } from "../../config.ts";
import type { Running } from "../../server/serve.ts";

interface Start {
  readonly config: Config;
  readonly running: Pick<Running, "asOperator">;
  /** The console's address, as people find it; undefined where no console is served. */
  readonly origin: string | undefined;
  /** A command of this program as it is typed here, with the settings of the store. */
  readonly petstore: (command: string) => string;
}

/** Who may make an account; and where there is no owner, how there comes to be one. */
export async function signUpLines(start: Start): Promise<readonly string[]> {
  const policy = signUpPolicyOf(start.config);
  const lines = [`Sign-up is ${describeSignUp(policy, SETTINGS.signUp.variable)}.`];
  const isOwned = await start.running
    .asOperator(({ query }) => hasPeople(query))
    // The service runs: a query that fails is not repeated.
    .catch(() => true);
  if (isOwned) return [...lines, ""];
  const first = {
    open: async () => ["There is no owner yet: the first account is an owner's."],
    invite: () => firstInvitation(start),
    closed: async () => [
      "There is no owner yet. Create the first account, which is an owner's:",
      "",
      `  ${start.petstore("accounts create EMAIL")}`,
    ],
  };
  return [...lines, ...(await first[policy.mode]()), ""];
}

const DEFAULT_ORIGIN = `http://localhost:${SETTINGS.productionPort.default}`;

/** On a terminal the link itself; elsewhere, where a log may keep it, the command that prints it. */
async function firstInvitation({ running, origin, petstore }: Start): Promise<readonly string[]> {
  if (!process.stderr.isTTY || origin === undefined) {
    const isElsewhere = origin !== undefined && origin !== DEFAULT_ORIGIN;
    const address = isElsewhere ? ` --production-url ${origin}/v1` : "";
    const command = petstore(`accounts invite --role owner${address}`);
    return ["There is no owner yet. Print the first invitation:", "", `  ${command}`];
  }
  const { path } = await running.asOperator((ctx) => createInvitation(ctx, { role: "owner" }));
  return [
    "There is no owner yet. This link makes the first account, once, within 72 hours:",
    "",
    `  ${origin}${path}`,
  ];
}
