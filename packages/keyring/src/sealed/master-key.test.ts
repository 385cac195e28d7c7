import assert from 'node:assert/strict';
import { hkdfSync, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import { deriveKey, deriveRolePassword, newMasterKey, readMasterKey } from './master-key.ts';

const read = (text: string): KeyObject => {
  const master = readMasterKey(text);
  assert.ok(master.ok);
  return master.key;
};
const text = newMasterKey();
const master = read(text);

test('reads a new master key back, with the newline that a key file ends in', () => {
  assert.deepEqual(read(`${text}\n`).export(), Buffer.from(text, 'base64'));
  assert.notEqual(newMasterKey(), text);
});

const refused: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['31 bytes', Buffer.alloc(31, 7).toString('base64')],
  ['33 bytes', Buffer.from([...Array(33).keys()]).toString('base64')],
  ['hex', Buffer.from([...Array(32).keys()]).toString('hex')],
  ['missing padding', text.replace(/=$/, '')],
  ['a pass phrase', 'correct horse battery staple correct'],
  ['32 zero bytes', Buffer.alloc(32).toString('base64')],
  ['one byte repeated', Buffer.alloc(32, 0x41).toString('base64')],
];
for (const [what, wrong] of refused) {
  test(`rejects ${what} as a master key without repeating it`, () => {
    const answer = readMasterKey(wrong);
    assert.ok(!answer.ok);
    assert.ok(wrong === '' || !answer.reason.includes(wrong));
  });
}

test('derives a separate secret for each purpose and role, the same at every start', () => {
  const secrets = [
    ...(['data-key-wrapping', 'platform-key-wrapping', 'cursor-signing'] as const).map((purpose) =>
      deriveKey(master, purpose).export().toString('base64url'),
    ),
    ...['control_plane', 'gateway', 'key/cursor-signing'].map((role) => deriveRolePassword(master, role)),
    master.export().toString('base64url'),
  ];
  assert.equal(new Set(secrets).size, secrets.length);
  assert.deepEqual(deriveKey(read(text), 'cursor-signing').export(), deriveKey(master, 'cursor-signing').export());
  assert.equal(deriveRolePassword(read(text), 'gateway'), deriveRolePassword(master, 'gateway'));
  assert.notEqual(deriveRolePassword(read(newMasterKey()), 'gateway'), deriveRolePassword(master, 'gateway'));
});

test('derives by HKDF-SHA256 under a label that no release changes, or stored secrets would be lost', () => {
  const expected = Buffer.from(hkdfSync('sha256', Buffer.from(text, 'base64'), '', 'agent-governance/1/key/data-key-wrapping', 32));
  assert.deepEqual(deriveKey(master, 'data-key-wrapping').export(), expected);
});

test('derives role passwords that need no quoting', () => {
  assert.match(deriveRolePassword(master, 'gateway'), /^[A-Za-z0-9_-]{43}$/);
});
