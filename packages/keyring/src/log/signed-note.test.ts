import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, hash, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { openCheckpoint, signCheckpoint, writeVerifierKey } from './signed-note.ts';

const require = createRequire(import.meta.url);
/** Checkpoints are checked by the client of another log. */
const { verifyCheckpoint } = require('@sigstore/verify/dist/tlog/checkpoint.js') as {
  verifyCheckpoint: (entry: object, logs: readonly object[]) => { origin: string; logSize: bigint; logHash: Buffer };
};

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const origin = 'svc-audit-log/0123456789/org_01';
const said = { origin, size: 41, root: randomBytes(32) };
const note = signCheckpoint(said, privateKey);

test('creates checkpoints that the client of another log accepts, and that open with their key only', () => {
  const [, id = '', key = ''] = /^[^+]+\+([0-9a-f]{8})\+(.+)$/.exec(writeVerifierKey(origin, publicKey)) ?? [];
  const logID = Buffer.concat([Buffer.from(id, 'hex'), Buffer.alloc(28)]);
  assert.equal(Buffer.from(key, 'base64')[0], 1);
  const entry = { inclusionProof: { checkpoint: { envelope: note } } };
  const read = verifyCheckpoint(entry, [{ logID, publicKey, baseURL: origin }]);
  assert.deepEqual([read.origin, read.logSize, read.logHash], [origin, 41n, said.root]);
  assert.deepEqual(openCheckpoint(note, [other.publicKey, publicKey]), said);
  assert.equal(openCheckpoint(note, [other.publicKey]), undefined);
});

test('writes the verifier key in the form that tools for signed notes read', () => {
  const raw = Buffer.from('ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW', 'base64').subarray(1);
  const key = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') } });
  assert.equal(writeVerifierKey('PeterNeumann', key), 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
});

test('opens no checkpoint with any change', () => {
  for (let at = 0; at < note.length; at += 1) {
    const changed = `${note.slice(0, at)}${note[at] === 'A' ? 'B' : 'A'}${note.slice(at + 1)}`;
    const opened = openCheckpoint(changed, [publicKey]);
    if (opened !== undefined) assert.deepEqual(opened, said, JSON.stringify(changed));
  }
  assert.equal(openCheckpoint('', [publicKey]), undefined);
  assert.equal(openCheckpoint(`${hash('sha256', note)}\n\n`, [publicKey]), undefined);
});
