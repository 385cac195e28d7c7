import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newTenant, stepUp } from '@svc/testing/people/tenant.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const s = createScene({ tenantPerTest: true });

const createEnvironment = (body: object, headers: Record<string, string> = {}) =>
  call(s.planes.controlUrl, 'POST', '/v1/environments', { token: s.tenant.token, body, headers });
const operation =
  (name: string) =>
  (body: unknown, token = s.tenant.token) =>
    call(s.planes.controlUrl, 'POST', `/v1/environments/${s.tenant.environment_id}/${name}`, { token, body });
const [setGatewayMode, pauseEnvironment, resumeEnvironment] = [operation('gateway-mode'), operation('pause'), operation('resume')];
const listEnvironments = () => mustCall(s.planes.controlUrl, 'GET', '/v1/environments', { token: s.tenant.token });
const readEnvironment = async () => (await listEnvironments())[0];
const adminKey = async (): Promise<string> =>
  (
    await mustCall(s.planes.controlUrl, 'POST', '/v1/api-keys', {
      token: s.tenant.token,
      body: { name: 'Key', role_id: getBuiltInRole('admin').id },
    })
  ).token;
const epoch = async (): Promise<string> =>
  (await s.owner.query('select epoch from environment_epochs where environment_id = $1', [s.tenant.environment_id])).rows[0].epoch;
const events = async () =>
  (
    await s.owner.query(
      "select type, severity, workspace_id, environment_id, data::jsonb - 'record_digests' as data from audit_events where subject_id = $1 order by id offset 1",
      [s.tenant.environment_id],
    )
  ).rows;
const about = () => ({ workspace_id: s.tenant.workspace_id, environment_id: s.tenant.environment_id });

test('a new environment enforces and is not paused', async () => {
  const answer = await createEnvironment({ workspace_id: s.tenant.workspace_id, name: 'Staging', type: 'STAGING' });
  assert.equal(answer.status, 201);
  const { id, mode, paused, paused_at, paused_reason, type } = answer.json;
  assert.deepEqual([mode, paused, paused_at, paused_reason, type], ['ENFORCE', false, null, null, 'STAGING']);
  const { rows } = await s.owner.query(
    "select type, environment_id, data::jsonb - 'record_digests' as data from audit_events where subject_id = $1",
    [id],
  );
  assert.deepEqual(rows, [
    {
      type: 'environment.created',
      environment_id: id,
      data: { after: { name: 'Staging', type: 'STAGING', mode: 'ENFORCE', requires_delegation: false } },
    },
  ]);
});

test('a name is unique in a workspace, and an unknown or foreign workspace is not found', async () => {
  const body = { workspace_id: s.tenant.workspace_id, name: 'Production', type: 'PRODUCTION' };
  assert.equal((await createEnvironment(body)).json.error.code, 'ALREADY_EXISTS');
  const stranger = await newTenant(s.planes);
  for (const workspace_id of [stranger.workspace_id, 'wsp_01JXA4T0000000000000000ABC']) {
    const { code, message } = (await createEnvironment({ ...body, workspace_id })).json.error;
    assert.deepEqual([code, message], ['NOT_FOUND', 'The workspace does not exist.']);
  }
  assert.equal((await createEnvironment({ ...body, type: 'PLAYGROUND' })).json.error.details.faults[0].pointer, '/type');
  const limited = await createEnvironment({ ...body, name: 'Other' }, { 'x-svc-environment': s.tenant.environment_id });
  assert.equal(limited.json.error.code, 'PERMISSION_DENIED');
});

test('reducing enforcement requires a recent step-up and a reason, and is recorded as critical', async () => {
  for (const mode of ['SIMULATE', 'OBSERVE'])
    assert.equal((await setGatewayMode({ mode, reason: 'Trying' })).json.error.code, 'STEP_UP_REQUIRED', mode);
  assert.equal((await setGatewayMode({ mode: 'OBSERVE' })).json.error.code, 'STEP_UP_REQUIRED');
  await stepUp(s.planes.controlUrl, s.tenant);
  const silent = await setGatewayMode({ mode: 'OBSERVE' });
  assert.deepEqual([silent.status, silent.json.error.details.faults[0].pointer], [400, '/reason']);
  assert.deepEqual([(await readEnvironment()).mode, await events()], ['ENFORCE', []]);
  const before = await epoch();
  assert.equal((await setGatewayMode({ mode: 'OBSERVE', reason: 'First week' })).json.mode, 'OBSERVE');
  assert.notEqual(await epoch(), before);
  const data = { before: { mode: 'ENFORCE' }, after: { mode: 'OBSERVE' }, reason: 'First week' };
  assert.deepEqual(await events(), [{ type: 'environment.mode_changed', severity: 'critical', ...about(), data }]);
});

test('an expired step-up is refused', async () => {
  await stepUp(s.planes.controlUrl, s.tenant);
  await s.owner.query("update sessions set stepped_up_until = now() - interval '1 second' where user_id = $1", [s.tenant.user.id]);
  assert.equal((await setGatewayMode({ mode: 'OBSERVE', reason: 'Late' })).json.error.code, 'STEP_UP_REQUIRED');
});

test('raising enforcement requires neither, and an API key may raise but never reduce it', async () => {
  await stepUp(s.planes.controlUrl, s.tenant);
  await setGatewayMode({ mode: 'OBSERVE', reason: 'First week' });
  const key = await adminKey();
  assert.equal((await setGatewayMode({ mode: 'SIMULATE' }, key)).json.mode, 'SIMULATE');
  assert.equal((await setGatewayMode({ mode: 'ENFORCE', reason: 'Ready' }, key)).json.mode, 'ENFORCE');
  assert.equal((await setGatewayMode({ mode: 'SIMULATE', reason: 'Back' }, key)).json.error.code, 'STEP_UP_REQUIRED');
  assert.deepEqual(
    (await events()).map(({ severity }) => severity),
    ['critical', 'warning', 'warning'],
  );
});

test('setting the current mode changes and records nothing', async () => {
  const before = [await readEnvironment(), await epoch()];
  assert.deepEqual((await setGatewayMode({ mode: 'ENFORCE' })).json, before[0]);
  assert.deepEqual([[await readEnvironment(), await epoch()], await events()], [before, []]);
});

test('concurrent reductions are each recorded with the mode before them', async () => {
  await stepUp(s.planes.controlUrl, s.tenant);
  await Promise.all(['OBSERVE', 'SIMULATE', 'ENFORCE', 'OBSERVE', 'SIMULATE'].map((mode) => setGatewayMode({ mode, reason: 'At once' })));
  const steps = (await events()).map(({ data, severity }) => ({ from: data.before.mode, to: data.after.mode, severity }));
  const rank = ['OBSERVE', 'SIMULATE', 'ENFORCE'];
  for (const { from, to, severity } of steps) assert.equal(severity === 'critical', rank.indexOf(to) < rank.indexOf(from), `${from} ${to}`);
  // The modes form a chain: each is left as often as it was entered, except for the first and the last.
  const left = steps.map(({ from }) => from).sort();
  const entered = ['ENFORCE', ...steps.map(({ to }) => to)].sort();
  entered.splice(entered.indexOf((await readEnvironment()).mode), 1);
  assert.deepEqual(left, entered);
});

test('pausing stops and resuming starts, each with a reason, a recent step-up and an event', async () => {
  assert.equal((await pauseEnvironment({ reason: 'Incident' })).json.error.code, 'STEP_UP_REQUIRED');
  await stepUp(s.planes.controlUrl, s.tenant);
  assert.equal((await pauseEnvironment({})).json.error.details.faults[0].pointer, '/reason');
  const before = await epoch();
  const paused = (await pauseEnvironment({ reason: 'Incident 7' })).json;
  assert.deepEqual([paused.paused, paused.paused_reason], [true, 'Incident 7']);
  assert.ok(Math.abs(Date.parse(paused.paused_at) - Date.now()) < 60_000);
  assert.notEqual(await epoch(), before);
  const resumed = (await resumeEnvironment({ reason: 'Mended' })).json;
  assert.deepEqual([resumed.paused, resumed.paused_at, resumed.paused_reason], [false, null, null]);
  assert.deepEqual(
    (await events()).map(({ type, severity, data }) => [type, severity, data.reason]),
    [
      ['environment.paused', 'critical', 'Incident 7'],
      ['environment.resumed', 'warning', 'Mended'],
    ],
  );
});

test('an API key cannot pause or resume, and a paused environment cannot be paused again', async () => {
  const key = await adminKey();
  for (const attempt of [pauseEnvironment, resumeEnvironment])
    assert.equal((await attempt({ reason: 'By machine' }, key)).json.error.code, 'STEP_UP_REQUIRED');
  await stepUp(s.planes.controlUrl, s.tenant);
  const early = await resumeEnvironment({ reason: 'Too early' });
  assert.deepEqual(early.json.error.details, { operation: 'resume', from: 'ACTIVE', allowed_from: ['PAUSED'] });
  const answers = await Promise.all([1, 2, 3].map(() => pauseEnvironment({ reason: 'At once' })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400]);
  const late = answers.find(({ status }) => status === 400);
  assert.deepEqual(late?.json.error.details, { operation: 'pause', from: 'PAUSED', allowed_from: ['ACTIVE'] });
});

test('an environment of another tenant is answered as unknown by every operation', async () => {
  const stranger = await newTenant(s.planes);
  await stepUp(s.planes.controlUrl, stranger);
  const bodies = { 'gateway-mode': { mode: 'OBSERVE', reason: 'Mine now' }, pause: { reason: 'Mine now' }, resume: { reason: 'Mine now' } };
  for (const [name, body] of Object.entries(bodies)) {
    const ask = (id: string) => call(s.planes.controlUrl, 'POST', `/v1/environments/${id}/${name}`, { token: stranger.token, body });
    const [foreign, never] = [await ask(s.tenant.environment_id), await ask('env_01JXA4T0000000000000000ABC')];
    const bare = ({ status, text, json }: typeof foreign) => [status, text.replace(json.error.request_id, '')];
    assert.deepEqual([bare(foreign), foreign.status], [bare(never), 404], name);
  }
  assert.deepEqual([(await readEnvironment()).mode, (await readEnvironment()).paused], ['ENFORCE', false]);
});
