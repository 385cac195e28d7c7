import { createSocket } from 'node:dgram';

/** A name server on this machine that knows text records, and denies every other name. */
export type NameServer = {
  /** As settings name it. */
  readonly address: string;
  /** What a name says from now on. */
  readonly publish: (name: string, ...texts: string[]) => void;
  readonly close: () => Promise<void>;
};

const TXT = 16;

const labelsOf = (query: Buffer): { readonly name: string; readonly end: number } => {
  const labels: string[] = [];
  let at = 12;
  for (; query[at] !== 0; at += (query[at] ?? 0) + 1) labels.push(query.subarray(at + 1, at + 1 + (query[at] ?? 0)).toString());
  return { name: labels.join('.').toLowerCase(), end: at };
};

const recordOf = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  const head = Buffer.from([0xc0, 0x0c, 0, TXT, 0, 1, 0, 0, 0, 60, 0, bytes.length + 1, bytes.length]);
  return Buffer.concat([head, bytes]);
};

export const startNameServer = async (): Promise<NameServer> => {
  const known = new Map<string, string[]>();
  const server = createSocket('udp4');
  server.unref();
  server.on('message', (query, from) => {
    const { name, end } = labelsOf(query);
    const texts = query.readUInt16BE(end + 1) === TXT ? (known.get(name) ?? []) : [];
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(known.has(name) ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(texts.length, 6);
    header.writeUInt32BE(0, 8);
    server.send(Buffer.concat([header, query.subarray(12, end + 5), ...texts.map(recordOf)]), from.port, from.address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${server.address().port}`,
    publish: (name, ...texts) => void known.set(name.toLowerCase(), texts),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
