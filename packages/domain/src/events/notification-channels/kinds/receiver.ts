/**
 * Sends messages to the channels of one kind. The configuration of a channel is the URL of an incoming webhook, which is sealed as a whole.
 */
export type ChannelReceiver = {
  /** Hosts of the service itself, `host` or `host:port`, which are always allowed and only over TLS. */
  readonly hosts: readonly string[];
  /** Statuses of responses that mean that the webhook no longer exists. */
  readonly gone: ReadonlySet<number>;
  /** Escapes a sentence with names that anyone may have chosen: one line that mentions no one and links nowhere. */
  readonly text: (sentence: string) => string;
  /** Formats a text, without its own formatting, as a heading. */
  readonly heading: (text: string) => string;
  readonly link: (url: string, label: string) => string;
  readonly contentType: string;
  /** The body of the request that posts a formatted message. */
  readonly body: (message: string) => string;
};
