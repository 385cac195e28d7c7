import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { isFromHere } from './is-from-here.ts';

const ask = (remoteAddress: string, headers: Record<string, string>): boolean =>
  isFromHere({ raw: { socket: { remoteAddress } }, headers } as unknown as FastifyRequest);

test('a request is local if its connection and host name are, and no proxy forwarded it', () => {
  for (const host of ['localhost:4000', 'LOCALHOST', '127.0.0.1:4000', '127.0.0.2', '[::1]:4000'])
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.8.8.8'])
      assert.equal(ask(address, { host }), true, `${address} ${host}`);
  assert.equal(ask('127.0.0.1', { host: 'localhost', 'sec-fetch-site': 'none' }), true);
});

test('it is not if the peer is another machine, with any headers', () => {
  for (const address of ['10.0.0.7', '::ffff:10.0.0.7', '2001:db8::1', '', '1127.0.0.1', '127.0.0.1.evil'])
    assert.equal(ask(address, { host: 'localhost:4000' }), false, address);
});

test('it is not if a proxy, another name or the page of another site sent it', () => {
  for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'])
    for (const value of ['127.0.0.1', '']) assert.equal(ask('127.0.0.1', { host: 'localhost', [name]: value }), false, name);
  for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io', 'localhost:4000:1', '', 'x@localhost'])
    assert.equal(ask('127.0.0.1', { host }), false, host);
  assert.equal(ask('127.0.0.1', {}), false);
  for (const site of ['cross-site', 'same-site', '']) assert.equal(ask('127.0.0.1', { host: 'localhost', 'sec-fetch-site': site }), false);
});
