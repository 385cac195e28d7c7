import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

/**
 * A standby that is promoted may lack the last changes of the server it takes over from, and a backup lacks all that came after it, while
 * gateways that know of them go on. Here the database is put back by hand to the epoch before a change.
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

/** Every gateway decides on the state that `change` led to; its last step is then lost to the database. */
const loseLastOf = async (what: 'agent' | 'environment', id: string, change: () => Promise<{ status: number }>): Promise<void> => {
  assert.ok((await change()).status < 300);
  assert.equal(await outcome(), 'ALLOWED');
  assert.equal((await owner.query(`update ${what}_epochs set epoch = epoch - 1 where ${what}_id = $1`, [id])).rowCount, 1);
};

test('a paused agent is refused, though a change before it was lost with the former server of the database', async () => {
  const { id } = governed.agent;
  await loseLastOf('agent', id, () => governed.owner('PATCH', `/v1/agents/${id}`, { name: 'A name that is lost' }));
  assert.ok((await governed.owner('POST', `/v1/agents/${id}/pause`, { reason: 'test' })).status < 300);
  assert.equal(await outcome(), 'AGENT_NOT_OPERATIONAL');
  assert.ok((await governed.owner('POST', `/v1/agents/${id}/resume`, { reason: 'test' })).status < 300);
  assert.equal(await outcome(), 'ALLOWED');
});

test('a paused environment refuses, though a change before it was lost with the former server of the database', async () => {
  const { environment_id } = governed.tenant;
  const at = `/v1/environments/${environment_id}`;
  await loseLastOf('environment', environment_id, () => governed.owner('PATCH', at, { name: 'A name that is lost' }));
  assert.ok((await governed.owner('POST', `${at}/pause`, { reason: 'test' })).status < 300);
  assert.equal(await outcome(), 'ENVIRONMENT_PAUSED');
});
