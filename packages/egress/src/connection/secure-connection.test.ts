import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { createEgress } from '../create-egress.ts';

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));

/** Returns a self-signed certificate for one name. */
const selfSigned = (name: string, { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject }): string => {
  const algorithm = sequence(oid('2a8648ce3d040302')); // ecdsa-with-SHA256
  const subject = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));
  const validity = sequence(der(0x17, Buffer.from('240101000000Z')), der(0x17, Buffer.from('490101000000Z')));
  const alternativeName = sequence(oid('551d11'), der(0x04, sequence(der(0x82, Buffer.from(name)))));
  const authority = sequence(oid('551d13'), der(0x04, sequence(der(0x01, Buffer.from([0xff])))));
  const version = der(0xa0, der(0x02, Buffer.from([2])));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const serial = der(0x02, Buffer.from([1]));
  const body = sequence(version, serial, algorithm, subject, validity, subject, spki, der(0xa3, sequence(alternativeName, authority)));
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const base64 = sequence(body, algorithm, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
};

const keys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const certificate = selfSigned('egress.test', keys);
const trusted = getCACertificates('default');
const requests: { servername: unknown; host: string | undefined }[] = [];
const newEgress = () =>
  createEgress({
    allowRealEgress: true,
    allowCidrs: ['127.0.0.1/32'],
    timeoutMs: 5000,
    lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  });
let egress = newEgress();
/** The trust store of a client is fixed by its first connection. */
const trust = async (): Promise<void> => {
  setDefaultCACertificates([...trusted, certificate]);
  await egress.close();
  egress = newEgress();
};
let server: Server;
let port = 0;

before(async () => {
  server = createServer({ key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }), cert: certificate }, (request, response) => {
    requests.push({ servername: (request.socket as TLSSocket).servername, host: request.headers.host });
    response.end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
after(async () => {
  setDefaultCACertificates(trusted);
  await egress.close();
  server.close();
});

const call = (host: string) => egress.call({ tenant: 'org_1', method: 'POST', url: `https://${host}:${port}/`, headers: {}, body: '{}' });
const unverified = { kind: 'failed', reason: 'The certificate of the destination could not be verified.', sent: false };

test('sends no byte of the request to a peer with an untrusted certificate', async () => {
  assert.deepEqual(await call('egress.test'), unverified);
  assert.equal(requests.length, 0);
});

test('accepts a trusted certificate for its own name only, at any address', async () => {
  await trust();
  const result = await call('egress.test');
  assert.ok(result.kind === 'answered' && result.body === 'ok', JSON.stringify(result));
  assert.deepEqual(requests, [{ servername: 'egress.test', host: `egress.test:${port}` }]);
  assert.deepEqual(await call('other.test'), unverified);
  assert.deepEqual(await call('127.0.0.1'), unverified);
  assert.equal(requests.length, 1);
});

test('verifies a kept connection once, and uses a separate one per name', async () => {
  await trust();
  const from = requests.length;
  const ask = (host: string) =>
    egress.call({ tenant: 'org_1', method: 'POST', url: `https://${host}:${port}/`, headers: {}, body: '{}', keepFor: 'a credential' });
  let connections = 0;
  server.on('secureConnection', () => {
    connections += 1;
  });
  for (let n = 0; n < 3; n += 1) assert.equal((await ask('egress.test')).kind, 'answered');
  assert.deepEqual([requests.length - from, connections], [3, 1]);
  assert.deepEqual(await ask('other.test'), unverified);
});

test('sends no byte of the request below TLS 1.2, and uses the newest version otherwise', async (context) => {
  await trust();
  const pair = { key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }), cert: certificate };
  const spoken: (string | null)[] = [];
  const listen = async (versions: object): Promise<number> => {
    const peer = createServer({ ...pair, ...versions }, (request, response) => {
      spoken.push((request.socket as TLSSocket).getProtocol());
      response.end('ok');
    });
    context.after(() => peer.close());
    await new Promise<void>((resolve) => peer.listen(0, '127.0.0.1', resolve));
    return (peer.address() as AddressInfo).port;
  };
  const ask = async (versions: object) =>
    egress.call({ tenant: 'org_1', method: 'GET', url: `https://egress.test:${await listen(versions)}/`, headers: {} });
  const old = await ask({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' });
  assert.deepEqual([old.kind, old.kind === 'failed' && old.sent], ['failed', false]);
  for (const versions of [{}, { maxVersion: 'TLSv1.2' }]) assert.equal((await ask(versions)).kind, 'answered');
  assert.deepEqual(spoken, ['TLSv1.3', 'TLSv1.2']);
});

test('sends no byte of the request to a peer that does not speak TLS', async (context) => {
  let reached = 0;
  const plain = createHttpServer(() => {
    reached += 1;
  });
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  context.after(() => plain.close());
  const url = `https://egress.test:${(plain.address() as AddressInfo).port}/`;
  const result = await egress.call({ tenant: 'org_1', method: 'GET', url, headers: {} });
  assert.deepEqual(result, { kind: 'failed', reason: 'A secure connection to the destination could not be established.', sent: false });
  assert.equal(reached, 0);
});
