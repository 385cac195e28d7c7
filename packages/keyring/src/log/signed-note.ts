import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto';
import { HASH_BYTES, type TreeHash } from './merkle.ts';

/**
 * The extension line by which a checkpoint commits to earlier ones that are kept. A `kept` checkpoint states its own number and time, with
 * the
 * hash of the one kept before. Any other is `after` the newest kept one, and states its number, time and hash.
 */
export type CheckpointHistory = { readonly kind: 'kept' | 'after'; readonly number: number; readonly at: string; readonly hash: string };

/** The content of a checkpoint: the log's name, number of leaves, and root [C2SP tlog-checkpoint]. */
export type Checkpoint = {
  readonly origin: string;
  readonly size: number;
  readonly root: TreeHash;
  /** Undefined in a checkpoint of a release without links. */
  readonly history?: CheckpointHistory | undefined;
};

const ED25519 = 1;
const KEY_ID_BYTES = 4;
const SIGNATURE_BYTES = 64;
const DASH = '\u2014';

const raws = new WeakMap<KeyObject, Buffer>();

/** Returns the raw public key of either half; cached per key, since extraction takes as long as signing. */
const getRaw = (key: KeyObject): Buffer => {
  const known = raws.get(key);
  if (known !== undefined) return known;
  const raw = Buffer.from((key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' }).x ?? '', 'base64url');
  raws.set(key, raw);
  return raw;
};

const getKeyId = (name: string, raw: Buffer): Buffer =>
  hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519), raw]), 'buffer').subarray(0, KEY_ID_BYTES);

/** Returns the public key in the form `name+id+key` for verifiers [C2SP signed-note]. */
export const writeVerifierKey = (name: string, key: KeyObject): string => {
  const raw = getRaw(key);
  return `${name}+${getKeyId(name, raw).toString('hex')}+${Buffer.concat([Buffer.of(ED25519), raw]).toString('base64')}`;
};

const findLine = ({ kind, number, at, hash: linked }: CheckpointHistory): string => `${kind} ${number} ${at} ${linked}\n`;

const findBody = ({ origin, size, root, history }: Checkpoint): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n${history === undefined ? '' : findLine(history)}`;

/** Signs a checkpoint with the key of the log, under the log's name. */
export const signCheckpoint = (checkpoint: Checkpoint, privateKey: KeyObject): string => {
  const { origin } = checkpoint;
  const body = findBody(checkpoint);
  const signature = sign(null, Buffer.from(body), privateKey);
  const id = getKeyId(origin, getRaw(privateKey));
  return `${body}\n${DASH} ${origin} ${Buffer.concat([id, signature]).toString('base64')}\n`;
};

const FORM =
  /^([^\n]+)\n(0|[1-9][0-9]{0,15})\n([A-Za-z0-9+/]{43}=)\n(?:(kept|after) ([1-9][0-9]{0,14}) ([0-9T:.-]{23}Z) ([A-Za-z0-9+/]{43}=)\n)?$/;

const readBody = (body: string): Checkpoint | undefined => {
  const [, origin, size, root, kind, number, at = '', linked = ''] = FORM.exec(body) ?? [];
  const bytes = Buffer.from(root ?? '', 'base64');
  if (origin === undefined || bytes.length !== HASH_BYTES) return undefined;
  const said = { origin, size: Number(size), root: bytes };
  if (kind === undefined) return said;
  return { ...said, history: { kind: kind === 'kept' ? kind : 'after', number: Number(number), at, hash: linked } };
};

/** Parses a note without verifying its signature. */
export const readCheckpoint = (note: string): Checkpoint | undefined => {
  const at = note.lastIndexOf('\n\n');
  return at < 0 ? undefined : readBody(note.slice(0, at + 1));
};

/** True if a note has one signature, by its log, and nothing else behind what it states. */
export const isBare = (note: string): boolean => {
  const origin = readCheckpoint(note)?.origin;
  const [line = '', ...more] = note.slice(note.lastIndexOf('\n\n') + 2).split('\n');
  const encoded = line.slice(line.lastIndexOf(' ') + 1);
  const isOwn = line === `${DASH} ${origin} ${encoded}` && Buffer.from(encoded, 'base64').toString('base64') === encoded;
  return isOwn && more.length === 1 && more[0] === '';
};

/** Returns a signed checkpoint if one of these keys signed it under the name of its log; undefined otherwise. */
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
    const id = getKeyId(read.origin, getRaw(key));
    return signatures.some(
      (each) => each.subarray(0, KEY_ID_BYTES).equals(id) && verify(null, Buffer.from(body), key, each.subarray(KEY_ID_BYTES)),
    );
  });
  return isSigned ? read : undefined;
};
