import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const document = read('docs/operating/data-and-keys.md');
const part = (heading: string): string => document.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? '';
const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** Source files without tests and fixtures. */
const sources = globSync('{packages,apps}/*/src/**/*.ts', { cwd: root, exclude: (name) => name === 'node_modules' })
  .filter((file) => !/\.(test|fixture)\.ts$/.test(file) && !file.startsWith('packages/testing/'))
  .map((file) => ({ file, text: read(file) }));

const namesIn = (pattern: RegExp): Set<string> =>
  new Set(sources.flatMap(({ text }) => [...text.matchAll(pattern)].map(([, name = '']) => name)));

/** Every primitive by its name in the source, and its name on the page. */
const PRIMITIVES: Readonly<Record<string, string>> = {
  sha256: 'SHA-256',
  'aes-256-gcm': 'AES-256-GCM',
  ed25519: 'Ed25519',
  ec: 'ES256',
  SHA1: 'HMAC-SHA-1',
};

describe('the page of data and keys', () => {
  test('names every hash, cipher and kind of key that the sources name, and no source names another', () => {
    const hashes = namesIn(/\b(?:createHash|createHmac|hash|hkdfSync|createSign|createVerify|pbkdf2\w*|scrypt\w*)\(\s*'([\w-]+)'/g);
    const ciphers = namesIn(/'((?:aes|des|rc|bf|camellia|chacha20|aria)[\w-]*-(?:gcm|cbc|ecb|ctr|ccm|poly1305)[\w-]*)'/gi);
    const kinds = namesIn(/generateKeyPair(?:Sync)?\(\s*'([\w-]+)'/g);
    const ofCodes = namesIn(/algorithm: '(SHA\d+)'/g);
    assert.deepEqual([[...hashes], [...ciphers], [...kinds], [...ofCodes]], [['sha256'], ['aes-256-gcm'], ['ed25519', 'ec'], ['SHA1']]);
    for (const name of [...hashes, ...ciphers, ...kinds, ...ofCodes])
      assert.ok(part('Cryptography').includes(PRIMITIVES[name] ?? '?'), name);
  });

  test('names the parameters of Argon2id, and each algorithm that signs passkeys', () => {
    assert.match(read('packages/keyring/src/passwords/password.ts'), /memoryCost: 19_456, timeCost: 2, parallelism: 1/);
    assert.match(part('Cryptography'), /Argon2id, 19 MiB, 2 passes, 1 lane/);
    // COSE numbers of EdDSA, ES256 and RS256.
    assert.match(read('packages/keyring/src/factors/passkeys.ts'), /ALGORITHMS = \[-8, -7, -257\]/);
    assert.match(part('Cryptography'), /\| Passkeys \| ES256, EdDSA, RS256 \|/);
  });

  test('lists every purpose that a key is derived for', () => {
    const [, union = ''] = /export type KeyPurpose =([^;]+);/.exec(read('packages/keyring/src/sealed/master-key.ts')) ?? [];
    const purposes = [...union.matchAll(/'([\w-]+)'/g)].map(([, name = '']) => name);
    assert.ok(purposes.length > 10);
    const [, told = ''] = /^Purposes, (.+)$/m.exec(document) ?? [];
    assert.deepEqual(quoted(told).toSorted(), purposes.toSorted());
  });

  test('names the random source of the system as the only one for secret values', () => {
    const drawn = sources.filter(({ text }) => text.includes('Math.random')).map(({ file }) => file);
    // Delay before another attempt.
    assert.deepEqual(drawn.toSorted(), [
      'apps/gateway/src/actions/approvals/own/shared-waits.ts',
      'apps/gateway/src/actions/execution/make-tries.ts',
      'packages/operations/src/peers/mcp/settle-listing.ts',
      'packages/postgres/src/recorder/retry-outcomes.ts',
      'packages/sdk/src/act/wait-for-approval.ts',
      'packages/sdk/src/exchange/backoff.ts',
    ]);
  });

  test('puts every table with a secret or personal data into its class, and names only such tables', () => {
    const tables = [...read('packages/postgres/src/connection/tables.ts').matchAll(/^ {2}([a-z_]+): \{$([\s\S]*?)^ {2}\};?$/gm)];
    assert.ok(tables.length > 50, `${tables.length}`);
    const [, classes = ''] = part('Classes of data').split('| Class | Tables |');
    const told = new Set(quoted(classes));
    const sensitive = tables.filter(([, , columns = '']) =>
      /\b\w*(?:token_hash|code_hash|sealed|password_hash|secret|email)\w*: /.test(columns),
    );
    const missing = sensitive.flatMap(([, name = '']) => (told.has(name) ? [] : [name]));
    assert.deepEqual(missing, [], 'tables to put into a class in docs/operating/data-and-keys.md');
    const known = new Set(tables.map(([, name = '']) => name));
    const unknown = quoted(classes.split('\n| Data | Kept for |')[0] ?? '').filter((name) => !known.has(name));
    assert.deepEqual(unknown, []);
  });

  test('names every library and module by which the sources connect to others', () => {
    const CONNECTING = /from '(pg|ioredis|nodemailer|openid-client|undici|node:https|node:tls|node:dgram|node:http2)'/;
    const places = new Set(
      sources.flatMap(({ file, text }) => {
        const [, name] = CONNECTING.exec(text) ?? [];
        return name === undefined ? [] : [`${name} ${file.split('/').slice(0, 2).join('/')}`];
      }),
    );
    assert.deepEqual([...places].toSorted(), [
      'ioredis packages/shared-state',
      'node:https packages/egress',
      'nodemailer packages/mail',
      'openid-client apps/control-plane',
      'pg packages/database-server',
      'pg packages/postgres',
    ]);
    const told = part('Connections');
    for (const place of ['packages/postgres', 'packages/shared-state', 'packages/mail', 'packages/egress', 'packages/program'])
      assert.ok(told.includes(`\`${place}\``), place);
  });
});
