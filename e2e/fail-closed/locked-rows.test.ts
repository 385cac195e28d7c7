import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { newCredential } from '@svc/testing/agents/new-credential.ts';
import { sample } from '@svc/testing/length/test-length.ts';
import type { TestResponse } from '@svc/testing/people/client.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';

const TIMEOUT_MS = 2_000;
const reason = 'an emergency';

let planes: StartedPlanes;
let governed: Governed;
before(async () => {
  planes = await startPlanes({ env: { SVC_DATABASE_TIMEOUT_MS: String(TIMEOUT_MS) } });
  governed = await newGoverned(planes);
});
after(async () => {
  await planes?.stop();
});

type Case = { readonly table: string; readonly id: string; readonly send: () => Promise<TestResponse> };

/** Lists state changes that stop something or let it continue, each with the row that it must lock. */
const listCases = async (): Promise<readonly Case[]> => {
  const { owner, tenant, agent, tool, policyId } = governed;
  const other = await newAgent(tenant, { capabilities: ['pay'] });
  assert.equal((await owner('POST', `/v1/agents/${other.id}/pause`, { reason })).status, 200);
  const draft = await owner('PATCH', `/v1/policies/${policyId}`, { rules: [{ id: 'allow', effect: 'ALLOW', reason: 'Again.' }] });
  assert.equal(draft.status, 200, draft.text);
  const { credentialId } = await newCredential(tenant, { name: 'lock' });
  const environment = tenant.environment_id;
  const post =
    (path: string, body: object = { reason }) =>
    () =>
      owner('POST', path, body);
  const control = (name: string, target: string) => post(`/v1/emergency/${name}`, { target, reason, confirm_blast_radius: 1 });
  const version = draft.json.versions.at(-1)?.version_id ?? draft.json.versions[0].version_id;
  return [
    ...['pause', 'suspend', 'isolate', 'decommission', 'revoke'].map((verb) => ({
      ...{ table: 'agents', id: agent.id },
      send: post(`/v1/agents/${agent.id}/${verb}`),
    })),
    { table: 'agents', id: other.id, send: post(`/v1/agents/${other.id}/resume`) },
    { table: 'tools', id: tool.id, send: post(`/v1/tools/${tool.id}/disable`) },
    { table: 'environments', id: environment, send: post(`/v1/environments/${environment}/pause`) },
    { table: 'policies', id: policyId, send: post(`/v1/policies/${policyId}/suspend`) },
    {
      ...{ table: 'policies', id: policyId },
      send: post(`/v1/policies/${policyId}/activate`, { version_id: version, reason, accept_warnings: true }),
    },
    { table: 'credentials', id: credentialId, send: post(`/v1/credentials/${credentialId}/revoke`) },
    { table: 'agents', id: agent.id, send: control('isolate-agent', agent.id) },
    { table: 'tools', id: tool.id, send: control('disable-tool', tool.id) },
    { table: 'environments', id: environment, send: control('pause-environment', environment) },
  ];
};

test('a change that waits for a row of another transaction ends with 503 and Retry-After in limited time, changes nothing, and works afterwards', async () => {
  const blocker = await planes.database.client();
  const cases = await listCases();
  const wrong: string[] = [];
  const state = async (): Promise<string> => {
    const rows: unknown[] = [];
    for (const { table, id } of cases) rows.push((await blocker.query(`select * from ${table} where id = $1`, [id])).rows);
    return JSON.stringify(rows);
  };
  const before = await state();
  await blocker.query('begin');
  for (const { table, id } of cases) {
    const { rowCount } = await blocker.query(`select from ${table} where id = $1 for update`, [id]);
    assert.equal(rowCount, 1, `${table} ${id}`);
  }
  for (const { table, id, send } of sample(cases, 5, 'changes of locked rows')) {
    const began = performance.now();
    const { status, headers, json, text } = await send();
    const tookMs = performance.now() - began;
    const isRight = status === 503 && Number(headers.get('retry-after')) >= 1 && json.error.code === 'DEPENDENCY_UNAVAILABLE';
    if (!isRight || !/Another transaction holds records/.test(text)) wrong.push(`${table} ${id}: ${status} ${text.slice(0, 200)}`);
    if (tookMs > 4 * TIMEOUT_MS) wrong.push(`${table}: took ${tookMs} ms`);
  }
  assert.equal(await state(), before);
  await blocker.query('rollback');
  await blocker.end();
  assert.deepEqual(wrong, []);
  const { owner, agent, tool } = governed;
  for (const path of [`/v1/tools/${tool.id}/disable`, `/v1/agents/${agent.id}/pause`, `/v1/agents/${agent.id}/revoke`])
    assert.equal((await owner('POST', path, { reason })).status, 200, path);
});
