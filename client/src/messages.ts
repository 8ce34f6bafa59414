import type { CallOptions } from "./options.ts";
import { createRequester } from "./request.ts";
import type { Settings } from "./settings.ts";
import type { Message, MessageWithAttempts, NewMessage } from "./types.ts";

/** Operations of the message service, which accepts API keys for production and for staging. */
export interface Messages {
  /** `submitMessage`: queues a message. When the call resolves, the message is on disk. */
  submit(newMessage: NewMessage, call?: CallOptions): Promise<Message>;
  /** `getMessage`: reads a message with its status and its delivery attempts. Beta. */
  get(id: string, call?: CallOptions): Promise<MessageWithAttempts>;
  /** `redeliverMessage`: sends a failed message again. Beta. */
  redeliver(id: string, call?: CallOptions): Promise<MessageWithAttempts>;
}

export function messageMethods(settings: Settings): Messages {
  const { get, post } = createRequester(settings);
  const collection = () => {
    if (settings.messagesUrl !== undefined) return `${settings.messagesUrl}/messages`;
    throw new TypeError("messagesUrl is missing: createClient() with a baseUrl also needs a messagesUrl.");
  };
  const item = (id: string) => `${collection()}/${encodeURIComponent(id)}`;
  return {
    submit: async (newMessage, call) => post(collection(), newMessage, call),
    get: async (id, call) => get(item(id), call),
    redeliver: async (id, call) => post(`${item(id)}/redeliver`, undefined, call),
  };
}
