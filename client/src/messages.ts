import type { CallOptions } from "./options.ts";
import { createRequester } from "./request.ts";
import type { Settings } from "./settings.ts";
import type { Message, NewMessage } from "./types.ts";

/** Operations of the message service; keys of both environments are valid. */
export interface Messages {
  /** `submitMessage`: queues a message; it is on disk when this resolves. */
  submit(newMessage: NewMessage, call?: CallOptions): Promise<Message>;
  /** `getMessage`: a message with its status. Beta. */
  get(id: string, call?: CallOptions): Promise<Message>;
}

export function messageMethods(settings: Settings): Messages {
  const { get, post } = createRequester(settings);
  const collection = () => {
    if (settings.messagesUrl !== undefined) return `${settings.messagesUrl}/messages`;
    throw new TypeError("messagesUrl is missing: with a baseUrl of your own, createClient() needs it, too.");
  };
  return {
    submit: async (newMessage, call) => post(collection(), newMessage, call),
    get: async (id, call) => get(`${collection()}/${encodeURIComponent(id)}`, call),
  };
}
