import type { CallOptions } from "./options.ts";
import { request } from "./request.ts";
import type { Settings } from "./settings.ts";
import type { Message, NewMessage } from "./types.ts";

/** The message service, which takes a key of either environment. */
export interface Messages {
  /** `submitMessage`: queues a message; when this resolves it is on disk. */
  submit(newMessage: NewMessage, call?: CallOptions): Promise<Message>;
  /** `getMessage`: one message, and how far it has come. Beta. */
  get(id: string, call?: CallOptions): Promise<Message>;
}

export function messageMethods(settings: Settings): Messages {
  const all = `${settings.messagesUrl}/messages`;
  return {
    submit: async (body, call) =>
      request(settings, { method: "POST", address: all, body, carries: "an object" }, call),
    get: async (id, call) =>
      request(
        settings,
        { method: "GET", address: `${all}/${encodeURIComponent(id)}`, carries: "an object" },
        call,
      ),
  };
}
