import type { Command } from "./command.ts";

/** Imports what adds one command to a program, or several. */
type Load = () => Promise<{ readonly addCommands: (program: Command) => void }>;

/** Every command by its heading in the help, in the order of the help. Each is imported when it is called or listed. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, Load>>>> = {
  "Service and operator commands:": {
    serve: () => import("./operator/serve.ts"),
    demo: () => import("./operator/demo.ts"),
    keys: () => import("./operator/keys.ts"),
    accounts: () => import("./operator/accounts.ts"),
    audit: () => import("./operator/audit.ts"),
    migrate: () => import("./operator/migrate.ts"),
    copy: () => import("./operator/copy.ts"),
    "backup restore": () => import("./operator/backup.ts"),
    doctor: () => import("./doctor/doctor.ts"),
    healthcheck: () => import("./operator/healthcheck.ts"),
  },
  "Remote store commands:": {
    "login logout": () => import("./remote/login.ts"),
    whoami: () => import("./remote/whoami.ts"),
    status: () => import("./remote/status.ts"),
    open: () => import("./remote/open.ts"),
    pets: () => import("./remote/pets.ts"),
    orders: () => import("./remote/orders.ts"),
    categories: () => import("./remote/categories.ts"),
    events: () => import("./remote/events.ts"),
    listen: () => import("./remote/listen.ts"),
    webhooks: () => import("./remote/webhooks.ts"),
    messages: () => import("./remote/messages.ts"),
    mcp: () => import("./mcp/mcp.ts"),
  },
  "Other commands:": { completion: () => import("./completion/completion.ts") },
};

/** Adds the command that `name` calls, or every command when it calls none. */
export async function addCommands(program: Command, name: string): Promise<void> {
  const all = Object.entries(COMMANDS).flatMap(([heading, commands]) =>
    Object.entries(commands).map(([names, load]) => ({ heading, names: names.split(" "), load })),
  );
  const called = all.find(({ names }) => names.includes(name));
  for (const { heading, load } of called === undefined ? all : [called]) {
    program.commandsGroup(heading);
    (await load()).addCommands(program);
  }
}
