/** Why a stream of events ends: sent in its last event, named `end`, with the delay before resuming. */
export const STREAM_ENDS = {
  time_up: { retryMs: 100, sentence: 'A stream is closed after 15 minutes: resume it where it ended.' },
  stopping: { retryMs: 1_000, sentence: 'The process is shutting down: resume the stream where it ended.' },
  no_room: { retryMs: 10_000, sentence: 'Another organization needs the capacity: resume the stream later.' },
  fell_behind: {
    retryMs: 1_000,
    sentence: 'The client reads too slowly for the number of events: resume the stream where it ended, with a filter or a faster client.',
  },
  unavailable: { retryMs: 3_000, sentence: 'The event feed cannot be read at the moment: resume the stream where it ended.' },
  not_admitted: { retryMs: 10_000, sentence: 'The credential has expired or has no access to this stream any more: reconnect.' },
} as const satisfies Record<string, { readonly retryMs: number; readonly sentence: string }>;

export type StreamEnd = keyof typeof STREAM_ENDS;
