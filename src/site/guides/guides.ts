/** A page of `docs/guides/`, served at `/docs/guides/<name>`. */
export interface Guide {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  /** The path of the guide's Markdown file from the project's root. */
  readonly file: string;
}

interface Audience {
  readonly title: string;
  readonly guides: readonly Guide[];
}

export const AUDIENCES: readonly Audience[] = [
  {
    title: "In the shop",
    guides: [
      guide(
        "first-hour",
        "The first hour in the shop",
        "From the first account to the first sale, in the console.",
      ),
    ],
  },
  {
    title: "For programs",
    guides: [
      guide(
        "first-call",
        "The first call",
        "Create a key, and call the API with curl, TypeScript or Python.",
      ),
      {
        ...guide("client", "@petstore/client", "The typed client for Node, Bun, Deno and browsers."),
        file: "client/README.md",
      },
      guide(
        "webhooks",
        "Webhooks and events",
        "Let the store send each change to your program, or read the changes yourself.",
      ),
      guide(
        "command-line",
        "The command line",
        "Every command and its options, how to import animals, and how to use petstore in scripts.",
      ),
      guide("agents", "Agents", "Give an AI agent the store's operations as tools, with `petstore mcp`."),
    ],
  },
  {
    title: "Running the store",
    guides: [
      guide(
        "run",
        "Run it",
        "Run petstore from an archive, with systemd or in a container, and put it behind a proxy.",
      ),
      guide("operate", "Operate", "Backups, limits, failures, alerts, log lines, upgrading."),
      guide(
        "scale",
        "Scale",
        "Move the store to PostgreSQL, and run several processes and a standby server.",
      ),
      guide(
        "managed-database",
        "Managed PostgreSQL",
        "Use a PostgreSQL server that a provider runs for you: TLS, limits on connections, settings for each provider, and views for reports.",
      ),
      guide("settings", "Settings", "Every environment variable, its default and its meaning."),
    ],
  },
];

export const GUIDES: readonly Guide[] = AUDIENCES.flatMap(({ guides }) => guides);

function guide(name: string, title: string, summary: string): Guide {
  return { name, title, summary, file: `docs/guides/${name}.md` };
}

/** Files of the repository that the guides link to. The service serves them, because people may not have the repository. */
export const LINKED_FILES: readonly string[] = [
  "Dockerfile",
  "compose.yaml",
  "compose.postgres.yaml",
  "deploy/Caddyfile",
  "deploy/alerts.yml",
  "deploy/grafana.json",
  "deploy/nginx.conf",
  "deploy/petstore-backup.service",
  "deploy/petstore-backup.timer",
  "deploy/petstore.service",
  "examples/petstore.py",
  "examples/sync.py",
  "openapi/messages.json",
  "openapi/petstore.arazzo.yaml",
  "openapi/petstore.json",
];
