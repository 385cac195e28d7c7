/** Why a stream of events is ended: told in its last event, named `end`, with how long to wait before it is taken up again. */
export const STREAM_ENDS = {
  time_up: { retryMs: 100, sentence: 'A stream stays open for a quarter of an hour: take it up again where it ended.' },
  stopping: { retryMs: 1_000, sentence: 'The process is being stopped: take the stream up again where it ended.' },
  no_room: { retryMs: 10_000, sentence: 'Another organization needs the place: take the stream up again later.' },
  fell_behind: {
    retryMs: 1_000,
    sentence: 'More happened than was read: take the stream up again where it ended, with a filter or a faster reader.',
  },
  unavailable: { retryMs: 3_000, sentence: 'The feed cannot be read just now: take the stream up again where it ended.' },
  not_admitted: { retryMs: 10_000, sentence: 'The credential has ended, or has lost access to this stream: reconnect.' },
} as const satisfies Record<string, { readonly retryMs: number; readonly sentence: string }>;

export type StreamEnd = keyof typeof STREAM_ENDS;
