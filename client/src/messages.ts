import type { CallOptions } from "./options.ts";
import { request } from "./request.ts";
import type { Settings } from "./settings.ts";
import type { Message, NewMessage } from "./types.ts";

/** The message service; a key of either environment is valid. */
export interface Messages {
  /** `submitMessage`: queues a message; it is on disk when this resolves. */
  submit(newMessage: NewMessage, call?: CallOptions): Promise<Message>;
  /** `getMessage`: a message with its status. Beta. */
  get(id: string, call?: CallOptions): Promise<Message>;
}

export function messageMethods(settings: Settings): Messages {
  const collection = `${settings.messagesUrl}/messages`;
  return {
    submit: async (body, call) =>
      request(settings, { method: "POST", address: collection, body, expects: "object" }, call),
    get: async (id, call) =>
      request(
        settings,
        { method: "GET", address: `${collection}/${encodeURIComponent(id)}`, expects: "object" },
        call,
      ),
  };
}
