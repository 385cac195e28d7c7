import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { freshDatabase } from '@svc/testing/database/database.ts';
import { type Planes, planeEnvironment, startPlanes } from '@svc/testing/planes/start-planes.ts';
import { type RunningProcess, startProcess } from '@svc/testing/processes/start-process.ts';
import { until } from '@svc/testing/time/until.ts';
import type pg from 'pg';

let planes: Planes;
let worker: RunningProcess;
let owner: pg.Client;
let governed: Governed;
before(async () => {
  const database = await freshDatabase();
  planes = await startPlanes({ database });
  worker = await startProcess('apps/worker/src/main.ts', planeEnvironment(database));
  owner = await database.client();
  governed = await newGoverned(planes, { rules: [{ id: 'refunds', effect: 'REQUIRE_APPROVAL', reason: 'Refunds need a person.' }] });
});
after(async () => {
  await worker.stop();
  await owner.end();
  await planes.stop();
  await planes.database.drop();
});

/** Waits until every event of the organization is sealed. */
const sealed = (): Promise<void> =>
  until('every event is sealed', async () => {
    const { rows } = await owner.query(
      `select (select count(*) from audit_events where organization_id = $1) = (select count(*) from audit_leaves where organization_id = $1) as done`,
      [governed.tenant.organization_id],
    );
    return rows[0].done;
  });

/** An approved refund that the agent carried out and reported. */
const newRefund = async (): Promise<string> => {
  const body = { parameters: { order: 'A-17', note: 'damaged' }, amount: 95, currency: 'USD' };
  const held = await governed.act(body);
  const { approval_id } = held.json.error.details;
  await governed.owner('POST', `/v1/approvals/${approval_id}/approve`, {});
  const { json, text } = await governed.act({ ...body, approval_id });
  assert.equal(json.code, null, text);
  const token = governed.token;
  const reported = await fetch(`${planes.gatewayUrl}/gateway/v1/actions/${json.action_id}/outcome`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'COMPLETED', result: { refund: 're_1' } }),
  });
  assert.equal(reported.status, 200, await reported.text());
  return json.action_id;
};

const verify = async (body: object = {}) => {
  await sealed();
  const { status, json } = await governed.owner('POST', '/v1/audit-events/verify', body);
  assert.equal(status, 200, JSON.stringify(json));
  return json;
};

test('verifyAuditEvents reports a completed refund whose amount, parameters and reason were rewritten in the database', async () => {
  const id = await newRefund();
  assert.deepEqual((await verify()).findings, []);
  await owner.query(`update actions set amount = 9500, parameters = '{"order":"A-18"}', reason = 'Policy allows it.' where id = $1`, [id]);
  const { intact, findings } = await verify();
  assert.equal(intact, false);
  assert.equal(findings.length, 1);
});
