import { createSocket } from 'node:dgram';

/** A name server on this machine with text records and addresses; it denies every other name. */
export type NameServer = {
  /** Its address in settings. */
  readonly address: string;
  /** Sets the text records of a name. */
  readonly publish: (name: string, ...texts: string[]) => void;
  /** Sets the IPv4 addresses of a name. */
  readonly lead: (name: string, ...addresses: string[]) => void;
  readonly close: () => Promise<void>;
};

const A = 1;
const TXT = 16;

const listLabels = (query: Buffer): { readonly name: string; readonly end: number } => {
  const labels: string[] = [];
  let at = 12;
  for (; query[at] !== 0; at += (query[at] ?? 0) + 1) labels.push(query.subarray(at + 1, at + 1 + (query[at] ?? 0)).toString());
  return { name: labels.join('.').toLowerCase(), end: at };
};

const getRecord = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  const head = Buffer.from([0xc0, 0x0c, 0, TXT, 0, 1, 0, 0, 0, 60, 0, bytes.length + 1, bytes.length]);
  return Buffer.concat([head, bytes]);
};

const getAddressRecord = (address: string): Buffer =>
  Buffer.from([0xc0, 0x0c, 0, A, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);

export const startNameServer = async (): Promise<NameServer> => {
  const known = new Map<string, string[]>();
  const leading = new Map<string, string[]>();
  const server = createSocket('udp4');
  server.unref();
  server.on('message', (query, from) => {
    const { name, end } = listLabels(query);
    const queryType = query.readUInt16BE(end + 1);
    const texts = queryType === TXT ? (known.get(name) ?? []).map(getRecord) : [];
    const records = queryType === A ? (leading.get(name) ?? []).map(getAddressRecord) : texts;
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(known.has(name) || leading.has(name) ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    server.send(Buffer.concat([header, query.subarray(12, end + 5), ...records]), from.port, from.address);
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${server.address().port}`,
    lead: (name, ...addresses) => void leading.set(name.toLowerCase(), addresses),
    publish: (name, ...texts) => void known.set(name.toLowerCase(), texts),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
