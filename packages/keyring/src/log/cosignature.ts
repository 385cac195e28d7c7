import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto';

/** The name, id and key of a witness, `name+id+key` [C2SP tlog-cosignature, vkey]. */
export type WitnessKey = { readonly name: string; readonly id: Buffer; readonly key: KeyObject };

const COSIGNATURE = 4;
const RAW_BYTES = 32;
const ID_BYTES = 4;
const TIME_BYTES = 8;
const SIGNATURE_BYTES = 64;
const DASH = '\u2014';

/** Parses the key of a witness; undefined if it is malformed, has another id, or is for another kind of signature. */
export const readWitnessKey = (text: string): WitnessKey | undefined => {
  const [, name = '', id, encoded = ''] = /^([^+\s]{1,255})\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(text) ?? [];
  const told = Buffer.from(encoded, 'base64');
  if (told.length !== 1 + RAW_BYTES || told[0] !== COSIGNATURE) return undefined;
  const own = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), told]), 'buffer').subarray(0, ID_BYTES);
  if (own.toString('hex') !== id) return undefined;
  const x = told.subarray(1).toString('base64url');
  return { name, id: own, key: createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } }) };
};

/** The line of a note in which a witness states when it saw the checkpoint. */
export type Cosignature = { readonly line: string; readonly unixSeconds: number };

const readLine = (line: string, body: string, { name, id, key }: WitnessKey): Cosignature | undefined => {
  const start = `${DASH} ${name} `;
  const encoded = line.startsWith(start) ? line.slice(start.length) : '';
  const bytes = Buffer.from(encoded, 'base64');
  const isOfKey = bytes.length === ID_BYTES + TIME_BYTES + SIGNATURE_BYTES && bytes.subarray(0, ID_BYTES).equals(id);
  if (!isOfKey || bytes.toString('base64') !== encoded) return undefined;
  const time = bytes.readBigUInt64BE(ID_BYTES);
  if (time > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  const signed = Buffer.from(`cosignature/v1\ntime ${time}\n${body}`);
  return verify(null, signed, key, bytes.subarray(ID_BYTES + TIME_BYTES)) ? { line: `${line}\n`, unixSeconds: Number(time) } : undefined;
};

/** Returns the cosignature of this witness among the lines of its answer; undefined if none verifies with its key. */
export const openCosignature = (lines: string, note: string, witness: WitnessKey): Cosignature | undefined => {
  const body = note.slice(0, note.lastIndexOf('\n\n') + 1);
  for (const line of lines.split('\n')) {
    const read = readLine(line, body, witness);
    if (read !== undefined) return read;
  }
  return undefined;
};
