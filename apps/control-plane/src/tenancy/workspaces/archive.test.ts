import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { newKeyPair, readAudience, SDK, signAssertion } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import type pg from 'pg';

let planes: Planes;
let db: pg.Client;
let governed: Governed;
before(async () => {
  planes = await leasePlanes();
  db = await planes.database.client();
});
beforeEach(async () => {
  governed = await newGoverned(planes);
});
after(async () => {
  await db.end();
  await planes.stop();
});

const getCode = ({ status, json }: TestResponse): string => json?.error?.code ?? String(status);
const reason = 'the project is over';
const archiveWorkspace = () => governed.owner('POST', `${PLACES.workspace()}/archive`, { reason });
const archiveEnvironment = () => governed.owner('POST', `${PLACES.environment()}/archive`, { reason });
const updateWorkspace = (body: object) => governed.owner('PATCH', PLACES.workspace(), body);

const PLACES = {
  workspace: () => `/v1/workspaces/${governed.tenant.workspace_id}`,
  environment: () => `/v1/environments/${governed.tenant.environment_id}`,
} as const;

describe('an archived scope', () => {
  for (const [what, path] of Object.entries(PLACES)) {
    test(`stops a ${what}: agents are refused at the next action on every gateway, nothing new is created in it, and all of it stays readable`, async () => {
      const { tenant, act, owner, agent } = governed;
      assert.equal((await act({}, { gateway: 1 })).status, 200);
      const { approvalId } = await insertHeldAction(db, tenant, {}, { agent_id: agent.id });
      const archived = await owner('POST', `${path()}/archive`, { reason });
      assert.ok(archived.json.archived_at, archived.text);
      for (const gateway of [0, 1]) {
        const refused = await act({}, { gateway });
        assert.equal(getCode(refused), 'ENVIRONMENT_PAUSED', refused.text);
        assert.match(refused.json.error.message, /archived/);
      }
      assert.equal((await owner('GET', `/v1/approvals/${approvalId}`)).json.status, 'CANCELLED');
      const { workspace_id, environment_id } = tenant;
      const making = [
        ['/v1/agents', { name: 'One more', workspace_id, environment_id, capabilities: [] }],
        ['/v1/tools', { name: 'more', environment_id, required_capability: 'x', kind: 'SDK' }],
        ...(what === 'workspace' ? [['/v1/environments', { workspace_id, name: 'One more', type: 'STAGING' }] as const] : []),
      ] as const;
      for (const [at, body] of making) assert.equal(getCode(await owner('POST', at, body)), 'INVALID_STATE_TRANSITION', at);
      for (const at of [`/v1/agents/${agent.id}`, '/v1/tools', '/v1/actions', `${path().split('/').slice(0, 3).join('/')}`])
        assert.equal((await owner('GET', at)).status, 200, at);
      assert.equal(getCode(await owner('POST', `${path()}/archive`, { reason })), 'INVALID_STATE_TRANSITION');
    });

    test(`refuses sign-ins of agents of a ${what}, on any gateway, like any other refusal, and refuses approvals in it`, async () => {
      const { tenant, owner, agent, tool } = governed;
      const signIn = (url: string, assertion: string) =>
        call(url, 'POST', '/gateway/v1/token', { body: { agent_id: agent.id, assertion, sdk: SDK } });
      const right = async (url: string) => signAssertion(agent, await readAudience(url));
      for (const url of planes.gatewayUrls) assert.equal((await signIn(url, await right(url))).status, 200);
      await owner('POST', `${path()}/archive`, { reason });
      const { approvalId } = await insertHeldAction(db, tenant, {}, { agent_id: agent.id, tool_id: tool.id });
      assert.equal(getCode(await owner('POST', `/v1/approvals/${approvalId}/approve`, {})), 'INVALID_STATE_TRANSITION');
      const bare = ({ status, json, text }: TestResponse) => [status, text.replace(json.error.request_id, '')];
      for (const url of planes.gatewayUrls) {
        const refused = await signIn(url, await right(url));
        const forged = signAssertion({ ...agent, privateKey: newKeyPair().privateKey }, await readAudience(url));
        const wrong = await signIn(url, forged);
        assert.deepEqual(bare(refused), bare(wrong));
        assert.equal(refused.status, 401);
      }
      await owner('PATCH', path(), { archived: false, reason });
      for (const url of planes.gatewayUrls) assert.equal((await signIn(url, await right(url))).status, 200);
    });

    test(`is restored, a ${what} too, with the permission to archive it, a recent step-up and a reason; then its agents act again`, async () => {
      const { tenant, act, owner } = governed;
      await owner('POST', `${path()}/archive`, { reason });
      const back = (body: object, token = tenant.token) => call(planes.controlUrl, 'PATCH', path(), { token, body });
      assert.equal((await back({ archived: false })).json.error.details.faults[0].pointer, '/reason');
      assert.equal((await back({ archived: true, reason })).json.error.details.faults[0].pointer, '/archived');
      const { token } = await mustCall(planes.controlUrl, 'POST', '/v1/auth/login', {
        body: { email: tenant.email, password: tenant.password },
      });
      assert.equal(getCode(await back({ archived: false, reason }, token)), 'STEP_UP_REQUIRED');
      const key = await newControlClient(planes.controlUrl, tenant.token).createApiKey({
        body: { name: 'Key', role_id: getBuiltInRole('admin').id },
      });
      assert.equal(getCode(await back({ archived: false, reason }, key.token)), 'STEP_UP_REQUIRED');
      const developer = await insertPerson(db, tenant.organization_id, 'developer', { steppedUp: true });
      assert.equal(getCode(await back({ archived: false, reason }, developer.token)), 'PERMISSION_DENIED');
      assert.equal(getCode(await act({})), 'ENVIRONMENT_PAUSED');
      assert.equal((await back({ archived: false, reason })).json.archived_at, null);
      for (const gateway of [0, 1]) assert.equal((await act({}, { gateway })).status, 200);
    });
  }

  test('within an archived workspace stays stopped although it is restored itself', async () => {
    const { act, owner } = governed;
    await archiveEnvironment();
    await archiveWorkspace();
    await owner('PATCH', PLACES.environment(), { archived: false, reason });
    assert.equal(getCode(await act({})), 'ENVIRONMENT_PAUSED');
    await updateWorkspace({ archived: false, reason });
    assert.equal((await act({})).status, 200);
  });

  test('is recorded with its reason, as critical', async () => {
    await archiveWorkspace();
    const { rows } = await db.query(
      "select type, severity, workspace_id, data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 and type = 'workspace.updated'",
      [governed.tenant.workspace_id],
    );
    assert.equal(rows.length, 1);
    assert.deepEqual([rows[0].severity, rows[0].data.reason, rows[0].workspace_id], ['critical', reason, governed.tenant.workspace_id]);
  });
});

test('a workspace is renamed and keeps its slug; a change without effect writes nothing', async () => {
  const { owner, tenant } = governed;
  const before = (await owner('GET', '/v1/workspaces')).json[0];
  const renamed = await updateWorkspace({ name: 'Renamed' });
  assert.deepEqual([renamed.json.name, renamed.json.slug], ['Renamed', before.slug]);
  assert.deepEqual((await updateWorkspace({ name: 'Renamed', archived: false })).json, renamed.json);
  assert.equal((await updateWorkspace({})).json.error.details.faults[0].pointer, '');
  const { rows } = await db.query(
    "select data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 and type = 'workspace.updated'",
    [tenant.workspace_id],
  );
  assert.deepEqual(rows, [{ data: { before: { name: before.name }, after: { name: 'Renamed' }, reason: null } }]);
});
