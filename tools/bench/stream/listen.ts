import { Agent, get } from 'node:http';

/** Runs as a separate process: listens to streams, and reports how long events were in transit. */
type Message = { readonly controlUrl: string; readonly tokens: readonly string[]; readonly each: number } | 'measure' | 'report';

const MARK = Buffer.from('"occurred_at":"');
const TIME_CHARS = 24;
const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
let waits: number[] = [];
let open = 0;

/** Reads every event in these bytes, by the time at which it happened. */
const take = (bytes: Buffer): void => {
  const now = Date.now();
  for (let at = bytes.indexOf(MARK); at >= 0; at = bytes.indexOf(MARK, at + MARK.length)) {
    const time = bytes.toString('latin1', at + MARK.length, at + MARK.length + TIME_CHARS);
    if (time.length === TIME_CHARS) waits.push(now - Date.parse(time));
  }
};

const listen = (controlUrl: string, token: string): void => {
  get(`${controlUrl}/v1/events/stream`, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
    if (response.statusCode !== 200) throw new Error(`the stream answered ${response.statusCode}`);
    open += 1;
    response.on('data', take).on('close', () => {
      open -= 1;
    });
  });
};

process.on('message', (order: Message) => {
  if (order === 'measure') waits = [];
  else if (order === 'report') {
    const sorted = waits.toSorted((a, b) => a - b);
    const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? 0;
    process.send?.({ open, events: sorted.length, p50: at(0.5), p99: at(0.99), longest: sorted.at(-1) ?? 0 });
  } else for (const token of order.tokens) for (let n = 0; n < order.each; n += 1) listen(order.controlUrl, token);
});
process.on('disconnect', () => process.exit(0));
