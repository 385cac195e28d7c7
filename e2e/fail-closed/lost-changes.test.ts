import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mintToken, newKeyPair } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

/**
 * A promoted standby may lack the last changes of its predecessor, and a backup lacks everything after it, while gateways that know these
 * changes continue. Here the database is reset by hand to the epoch before a change.
 */
let planes: Planes;
let owner: pg.Client;
let governed: Governed;
before(async () => {
  planes = await leasePlanes();
  owner = await planes.database.client();
  governed = await newGoverned(planes);
});
after(async () => {
  await owner.end();
  await planes.stop();
});

const outcome = async (): Promise<unknown> => {
  const { json } = await governed.act({ parameters: {} });
  return json.status ?? json.error.code;
};

/** Every gateway decides on the state after `change`; the database then loses the last step. */
const loseLastOf = async (what: 'agent' | 'environment', id: string, change: () => Promise<{ status: number }>): Promise<void> => {
  assert.ok((await change()).status < 300);
  assert.equal(await outcome(), 'ALLOWED');
  assert.equal((await owner.query(`update ${what}_epochs set epoch = epoch - 1 where ${what}_id = $1`, [id])).rowCount, 1);
};

test('a paused agent is refused, although an earlier change was lost with the former database server', async () => {
  const { id } = governed.agent;
  await loseLastOf('agent', id, () => governed.owner('PATCH', `/v1/agents/${id}`, { name: 'A name that is lost' }));
  assert.ok((await governed.owner('POST', `/v1/agents/${id}/pause`, { reason: 'test' })).status < 300);
  assert.equal(await outcome(), 'AGENT_NOT_OPERATIONAL');
  assert.ok((await governed.owner('POST', `/v1/agents/${id}/resume`, { reason: 'test' })).status < 300);
  assert.equal(await outcome(), 'ALLOWED');
});

/** Creates an agent with a token, and resets its series to the earlier one. */
const newKilled = async () => {
  const own = await newGoverned(planes);
  const { id } = own.agent;
  const { rows } = await owner.query('select session_series from agents where id = $1', [id]);
  return {
    ...own,
    id,
    send: async (step: string, body: object) => assert.equal((await own.owner('POST', `/v1/agents/${id}/${step}`, body)).status, 200, step),
    codeOf: async (token: string) => (await own.act({ parameters: {} }, { token })).json.error?.code,
    loseSeries: () => owner.query('update agents set session_series = $2 where id = $1', [id, rows[0].session_series]),
  };
};

test('a token of an ended session is invalid, although the end of its own series was lost with the former server', async () => {
  const { agent, send, codeOf, loseSeries } = await newKilled();
  const suspendAndResume = async () => {
    await send('suspend', { reason: 'test' });
    await send('resume', { reason: 'test' });
  };
  await suspendAndResume();
  const token = await mintToken(planes.gatewayUrl, agent);
  assert.equal(await codeOf(token), undefined);
  await loseSeries();
  assert.equal(await codeOf(token), 'AGENT_TOKEN_EXPIRED', 'its series is not there');
  await suspendAndResume();
  assert.equal(await codeOf(token), 'AGENT_TOKEN_EXPIRED', 'as many kills were made anew');
});

test('tokens and keys of a lost generation are invalid for the next one of the same number', async () => {
  const { id, agent, send, codeOf, loseSeries } = await newKilled();
  const [lost, next] = [newKeyPair(), newKeyPair()];
  await send('rotate-credentials', { public_key: lost.publicKey });
  const token = await mintToken(planes.gatewayUrl, { ...agent, ...lost }, 2);
  assert.equal(await codeOf(token), undefined);
  await owner.query('delete from agent_keys where agent_id = $1 and generation = 2', [id]);
  await owner.query('update agent_keys set retired_at = null where agent_id = $1', [id]);
  await owner.query('delete from passports where agent_id = $1 and version = 2', [id]);
  await owner.query('update agents set key_generation = 1, passport_version = 1 where id = $1', [id]);
  await loseSeries();
  assert.equal(await codeOf(token), 'IDENTITY_GENERATION_STALE');
  await send('rotate-credentials', { public_key: next.publicKey });
  assert.equal(await codeOf(token), 'AGENT_TOKEN_EXPIRED', 'the token');
  await assert.rejects(mintToken(planes.gatewayUrl, { ...agent, ...lost }, 2), { code: 'AGENT_AUTHENTICATION_FAILED' });
  assert.equal(await codeOf(await mintToken(planes.gatewayUrl, { ...agent, ...next }, 2)), undefined);
});

test('a paused environment refuses, although an earlier change was lost with the former database server', async () => {
  const { environment_id } = governed.tenant;
  const at = `/v1/environments/${environment_id}`;
  await loseLastOf('environment', environment_id, () => governed.owner('PATCH', at, { name: 'A name that is lost' }));
  assert.ok((await governed.owner('POST', `${at}/pause`, { reason: 'test' })).status < 300);
  assert.equal(await outcome(), 'ENVIRONMENT_PAUSED');
});
