/** A message of a stream: an event, or only an id. */
export type StreamedMessage = {
  readonly id: string | undefined;
  readonly name: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
  readonly data: any;
};

export type OpenedStream = {
  readonly status: number;
  readonly headers: Headers;
  /** The body if it is no stream. */
  readonly text: string;
  /** Everything received, in order. */
  readonly events: readonly StreamedMessage[];
  /** Returns the id of the last message; undefined if none had one. */
  readonly lastId: () => string | undefined;
  readonly isOver: () => boolean;
  readonly close: () => Promise<void>;
};

const readBlock = (block: string): StreamedMessage => {
  const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
  const data = fields.get('data');
  return { id: fields.get('id'), name: fields.get('event'), data: data === undefined ? undefined : JSON.parse(data) };
};

type Headers_ = Readonly<Record<string, string>>;

/** Reads server-sent events as they arrive, like a browser (WHATWG HTML). */
export const openStream = async (url: string, headers: Headers_): Promise<OpenedStream> => {
  const breaking = new AbortController();
  const response = await fetch(url, { headers, signal: breaking.signal, redirect: 'manual' });
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
  const events: StreamedMessage[] = [];
  let lastId: string | undefined;
  let isOver = !isStream;
  const text = isStream ? '' : await response.text();
  const take = (block: string): void => {
    const streamed = readBlock(block);
    lastId = streamed.id ?? lastId;
    if (streamed.data !== undefined) events.push(streamed);
  };
  const read = async (): Promise<void> => {
    let left = '';
    const decoder = new TextDecoder();
    for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
      const blocks = `${left}${decoder.decode(bytes, { stream: true })}`.split('\n\n');
      left = blocks.pop() ?? '';
      for (const block of blocks) take(block);
    }
  };
  const reading = isStream
    ? read()
        .catch(() => undefined)
        .finally(() => {
          isOver = true;
        })
    : Promise.resolve();
  return {
    ...{ status: response.status, headers: response.headers, text, events, lastId: () => lastId, isOver: () => isOver },
    close: async () => {
      breaking.abort();
      await reading;
    },
  };
};
