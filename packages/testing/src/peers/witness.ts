import { createHash, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a witness answers. */
export type WitnessManner =
  | 'honest'
  | 'signs another size'
  | 'signs by another key'
  | 'of the future'
  | 'answers of before'
  | 'says much'
  | 'hangs'
  | 'redirects';

type Tree = { readonly size: number; readonly root: string };

/** A witness as specified by C2SP, implemented without the code under test. */
export type WitnessPeer = {
  readonly url: string;
  /** Its name and key in the format for tools. */
  readonly verifierKey: string;
  readonly manner: { of: WitnessManner };
  /** The last signed tree of each log, by origin. */
  readonly seen: ReadonlyMap<string, Tree>;
  /** Old sizes in the order received. */
  readonly asked: readonly number[];
  /** Accepts the checkpoints of a log from now on. */
  readonly trust: (origin: string, key: KeyObject) => void;
  readonly close: () => Promise<void>;
};

const sha256 = (...parts: readonly Uint8Array[]): Buffer => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const node = (left: Buffer, right: Buffer): Buffer => sha256(Uint8Array.of(1), left, right);

/** True if one tree extends another (RFC 9162, 2.1.4.2). */
const isConsistent = (earlier: Tree, later: Tree, proof: readonly Buffer[]): boolean => {
  if (earlier.size === later.size) return proof.length === 0 && earlier.root === later.root;
  if (earlier.size === 0) return proof.length === 0;
  const isPower = Number.isInteger(Math.log2(earlier.size));
  const path = isPower ? [Buffer.from(earlier.root, 'base64'), ...proof] : [...proof];
  let [fn, sn] = [earlier.size - 1, later.size - 1];
  while (fn % 2 === 1) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  const first = path.shift();
  if (first === undefined) return false;
  let [fr, sr] = [first, first];
  for (const each of path) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      [fr, sr] = [node(each, fr), node(each, sr)];
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
    } else sr = node(sr, each);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 && fr.toString('base64') === earlier.root && sr.toString('base64') === later.root;
};

/** Creates a key that cosigns notes; returns signature lines. */
export const newCosigner = (name: string) => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = Buffer.concat([Uint8Array.of(4), Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')]);
  const id = sha256(Buffer.from(`${name}\n`), raw).subarray(0, 4);
  const cosign = (note: string, unixSeconds: number): string => {
    const body = note.includes('\n\n') ? note.slice(0, note.lastIndexOf('\n\n') + 1) : note;
    const time = Buffer.alloc(8);
    time.writeBigUInt64BE(BigInt(unixSeconds));
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${unixSeconds}\n${body}`), privateKey);
    return `\u2014 ${name} ${Buffer.concat([id, time, signature]).toString('base64')}\n`;
  };
  return { verifierKey: `${name}+${id.toString('hex')}+${raw.toString('base64')}`, cosign };
};

const readText = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

const parse = (text: string) => {
  const [, old = '', proof = '', body = '', signatures = ''] =
    /^old (\d+)\n((?:[^\n]+\n)*)\n([^\n]+\n\d+\n[^\n]+\n(?:[^\n]+\n)*)\n((?:[^\n]+\n)+)$/.exec(text) ?? [];
  const [origin = '', size = '', root = ''] = body.split('\n');
  const signature = Buffer.from(signatures.split('\n')[0]?.split(' ').at(-1) ?? '', 'base64').subarray(4);
  const hashes =
    proof === ''
      ? []
      : proof
          .trimEnd()
          .split('\n')
          .map((line) => Buffer.from(line, 'base64'));
  return { old: Number(old), proof: hashes, body, origin, tree: { size: Number(size), root }, signature };
};

type Submission = ReturnType<typeof parse>;
type Cosigner = ReturnType<typeof newCosigner>;

/** Returns a witness's response to an accepted checkpoint: its line, or a lie. */
const newLines = (own: Cosigner, other: Cosigner, manner: { readonly of: WitnessManner }) => {
  let before = '';
  return ({ body, tree }: Submission): string => {
    const now = Math.floor(Date.now() / 1_000);
    const lies: Readonly<Record<string, () => string>> = {
      'signs another size': () => own.cosign(body.replace(`\n${tree.size}\n`, `\n${tree.size + 1}\n`), now),
      'signs by another key': () => other.cosign(body, now),
      'of the future': () => own.cosign(body, now + 100_000),
      'answers of before': () => before,
      'says much': () => 'x'.repeat(1_000_000) + own.cosign(body, now),
    };
    if (manner.of !== 'honest') return lies[manner.of]?.() ?? '';
    before = own.cosign(body, now);
    // Additional signatures by unknown keys are valid in a response.
    return `${other.cosign(body, now)}${before}`;
  };
};

type Answer = { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string };

/** Returns the refusal that the standard requires, unless the checkpoint is to be signed. */
const getRefusal = (submission: Submission, key: KeyObject | undefined, last: Tree): Answer | undefined => {
  if (key === undefined) return { status: 404 };
  if (!verify(null, Buffer.from(submission.body), key, submission.signature)) return { status: 403 };
  if (submission.old > submission.tree.size) return { status: 400 };
  if (submission.old !== last.size || (last.size === submission.tree.size && last.root !== submission.tree.root))
    return { status: 409, headers: { 'content-type': 'text/x.tlog.size' }, body: `${last.size}\n` };
  return isConsistent(last, submission.tree, submission.proof) ? undefined : { status: 422 };
};

export const startWitness = async (name = 'witness.example/w1'): Promise<WitnessPeer> => {
  const own = newCosigner(name);
  const [seen, keys, asked, manner] = [
    new Map<string, Tree>(),
    new Map<string, KeyObject>(),
    [] as number[],
    { of: 'honest' as WitnessManner },
  ];
  const linesOf = newLines(own, newCosigner(name), manner);
  const answer = (request: IncomingMessage, text: string): Answer => {
    if (manner.of === 'redirects') return { status: 307, headers: { location: '/elsewhere/add-checkpoint' } };
    const submission = parse(text);
    asked.push(submission.old);
    if (request.method !== 'POST' || request.url !== '/add-checkpoint') return { status: 404 };
    const refused = getRefusal(submission, keys.get(submission.origin), seen.get(submission.origin) ?? { size: 0, root: '' });
    if (refused !== undefined) return refused;
    if (manner.of === 'honest') seen.set(submission.origin, submission.tree);
    return { status: 200, body: linesOf(submission) };
  };
  const server = createServer((request, response) => {
    readText(request)
      .then((text) => {
        if (manner.of === 'hangs') return;
        const { status, headers, body } = answer(request, text);
        response.writeHead(status, headers).end(body);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    verifierKey: own.verifierKey,
    ...{ manner, seen, asked },
    trust: (origin, trusted) => void keys.set(origin, trusted),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
