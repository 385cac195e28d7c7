import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { HASH_BYTES, type TreeHash } from './merkle.ts';

/** What a checkpoint says of a log: whose it is, how many leaves it has, and their root [C2SP tlog-checkpoint]. */
export type Checkpoint = { readonly origin: string; readonly size: number; readonly root: TreeHash };

const ED25519 = 1;
const KEY_ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
const DASH = '\u2014';

const raws = new WeakMap<KeyObject, Buffer>();

/** The public half of either half; taken out of a key once, since that takes as long as signing. */
const rawOf = (key: KeyObject): Buffer => {
  const known = raws.get(key);
  if (known !== undefined) return known;
  const raw = Buffer.from((key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' }).x ?? '', 'base64url');
  raws.set(key, raw);
  return raw;
};

const keyIdOf = (name: string, raw: Buffer): Buffer =>
  hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519), raw]), 'buffer').subarray(0, KEY_ID_BYTES);

/** The public half as those who check signed notes are given it: `name+id+key` [C2SP signed-note]. */
export const verifierKeyOf = (name: string, key: KeyObject): string => {
  const raw = rawOf(key);
  return `${name}+${keyIdOf(name, raw).toString('hex')}+${Buffer.concat([Buffer.of(ED25519), raw]).toString('base64')}`;
};

const bodyOf = ({ origin, size, root }: Checkpoint): string => `${origin}\n${size}\n${root.toString('base64')}\n`;

/** A checkpoint signed by the key of the log, which is called as the log is. */
export const signCheckpoint = (checkpoint: Checkpoint, privateKey: KeyObject): string => {
  const { origin } = checkpoint;
  const body = bodyOf(checkpoint);
  const signature = sign(null, Buffer.from(body), privateKey);
  const id = keyIdOf(origin, rawOf(privateKey));
  return `${body}\n${DASH} ${origin} ${Buffer.concat([id, signature]).toString('base64')}\n`;
};

const FORM = /^([^\n]+)\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n$/;

const readBody = (body: string): Checkpoint | undefined => {
  const [, origin, size, root] = FORM.exec(body) ?? [];
  const bytes = Buffer.from(root ?? '', 'base64');
  return origin === undefined || bytes.length !== HASH_BYTES ? undefined : { origin, size: Number(size), root: bytes };
};

/** What a note says of a log, whoever wrote it. */
export const readCheckpoint = (note: string): Checkpoint | undefined => {
  const at = note.lastIndexOf('\n\n');
  return at < 0 ? undefined : readBody(note.slice(0, at + 1));
};

/** What a signed checkpoint says, where one of these keys has signed it under the name of its log; undefined otherwise. */
export const openCheckpoint = (note: string, keys: Iterable<KeyObject>): Checkpoint | undefined => {
  const read = readCheckpoint(note);
  if (read === undefined) return undefined;
  const at = note.lastIndexOf('\n\n');
  const body = note.slice(0, at + 1);
  const signatures = note
    .slice(at + 2)
    .split('\n')
    .filter((line) => line.startsWith(`${DASH} ${read.origin} `))
    .map((line) => Buffer.from(line.slice(read.origin.length + 3), 'base64'))
    .filter(({ length }) => length === KEY_ID_BYTES + SIGNATURE_BYTES);
  const isSigned = [...keys].some((key) => {
    const id = keyIdOf(read.origin, rawOf(key));
    return signatures.some(
      (each) => each.subarray(0, KEY_ID_BYTES).equals(id) && verify(null, Buffer.from(body), key, each.subarray(KEY_ID_BYTES)),
    );
  });
  return isSigned ? read : undefined;
};
