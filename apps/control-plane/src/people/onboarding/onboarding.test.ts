import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const ENDED = { operation: 'complete', from: 'COMPLETED', allowed_from: ['OPEN'] };

const s = createScene({ tenantPerTest: true });

type As = Pick<Tenant, 'token'>;
const getOnboarding = (as: As = s.tenant) => call(s.planes.controlUrl, 'GET', '/v1/onboarding', { token: as.token });
const saveOnboardingStep = (step: string, body: object, as: As = s.tenant) =>
  call(s.planes.controlUrl, 'PUT', `/v1/onboarding/steps/${step}`, { token: as.token, body });
const completeOnboarding = (body: object | undefined = {}, as: As = s.tenant) =>
  call(s.planes.controlUrl, 'POST', '/v1/onboarding/complete', { token: as.token, body });
const readMode = async (id = s.tenant.environment_id) =>
  (await s.owner.query('select mode from environments where id = $1', [id])).rows[0].mode;
const events = async (type: string) =>
  (
    await s.owner.query(
      "select severity, data::jsonb - 'record_digests' as data from audit_events where organization_id = $1 and type = $2",
      [s.tenant.organization_id, type],
    )
  ).rows;
const getFault = ({ status, json }: TestResponse) => [status, json.error.code, json.error.details?.faults?.[0].pointer];

describe('onboarding', () => {
  test('is returned with the answers, the next step and what there is to set up', async () => {
    const { json } = await getOnboarding();
    assert.deepEqual(
      json.steps,
      ['profile', 'goals', 'frameworks', 'mode', 'connect'].map((step) => ({ step, done: false, answered_at: null, answers: null })),
    );
    assert.deepEqual([json.next_step, json.completed_at, json.environment_id], ['profile', null, null]);
    assert.deepEqual(json.setup, {
      control_plane_url: s.planes.controlUrl,
      gateway_url: s.planes.gatewayUrl,
      sandbox_url: null,
      environments: [{ id: s.tenant.environment_id, workspace_id: s.tenant.workspace_id, name: 'Production', mode: 'ENFORCE' }],
    });
  });

  test('is stored step by step, each can be changed, and belongs to one person in one organization', async () => {
    const agent = await newAgent(s.tenant);
    const answers: [string, object][] = [
      ['profile', { name: 'Grace', role: 'Security engineer' }],
      ['goals', { goals: ['approvals'] }],
      ['goals', { goals: ['spend limits', 'audit'] }],
      ['frameworks', { frameworks: [] }],
      ['mode', { mode: 'SIMULATE' }],
      ['connect', { agent_id: agent.id }],
    ];
    for (const [step, body] of answers) assert.equal((await saveOnboardingStep(step, body)).status, 200, step);
    const { json } = await getOnboarding();
    const kept = new Map(answers);
    for (const { step, done, answered_at, answers: told } of json.steps) {
      assert.deepEqual([done, told], [true, kept.get(step)], step);
      assert.ok(Date.parse(answered_at) > Date.now() - 60_000);
    }
    assert.equal(json.next_step, null);
    assert.equal(await readMode(), 'ENFORCE', 'nothing is applied before the end');
    for (const other of [await newTenant(s.planes), await insertPerson(s.owner, s.tenant.organization_id, 'owner')])
      assert.equal((await getOnboarding(other)).json.next_step, 'profile');
  });

  test('accepts only the members of each step, and stores nothing of a refused body', async () => {
    const stranger = await newAgent(await newTenant(s.planes));
    const refused: [string, object, unknown[]][] = [
      ['profile', { name: 'Grace' }, [400, 'VALIDATION_FAILED', '/role']],
      ['profile', { name: ' ', role: 'x' }, [400, 'VALIDATION_FAILED', '/name']],
      ['goals', {}, [400, 'VALIDATION_FAILED', '/goals']],
      ['goals', { goals: 'all' }, [400, 'VALIDATION_FAILED', '/goals']],
      ['goals', { goals: Array.from({ length: 21 }, (_, n) => `${n}`) }, [400, 'VALIDATION_FAILED', '/goals']],
      ['frameworks', { frameworks: ['a', 'a'] }, [400, 'VALIDATION_FAILED', '/frameworks']],
      ['mode', { mode: 'OFF' }, [400, 'VALIDATION_FAILED', '/mode']],
      ['mode', { mode: 'OBSERVE', name: 'x' }, [400, 'VALIDATION_FAILED', '/name']],
      ['connect', { agent_id: stranger.id }, [400, 'VALIDATION_FAILED', '/agent_id']],
      ['connect', { agent_id: 'agt_00000000000000000000000000' }, [400, 'VALIDATION_FAILED', '/agent_id']],
      ['connect', { runtime_id: 'rtm_00000000000000000000000000' }, [400, 'VALIDATION_FAILED', '/runtime_id']],
      ['nothing', { goals: [] }, [404, 'NOT_FOUND', undefined]],
      ['constructor', { goals: [] }, [404, 'NOT_FOUND', undefined]],
    ];
    for (const [step, body, fault] of refused)
      assert.deepEqual(getFault(await saveOnboardingStep(step, body)), fault, `${step} ${JSON.stringify(body)}`);
    assert.equal((await s.owner.query('select from onboardings where organization_id = $1', [s.tenant.organization_id])).rowCount, 0);
  });

  test('is for people: an API key has none', async () => {
    const { json } = await call(s.planes.controlUrl, 'POST', '/v1/api-keys', {
      token: s.tenant.token,
      body: { name: 'k', role_id: 'rol_00000000000000000000000002' },
    });
    assert.equal((await getOnboarding({ token: json.token })).status, 403);
  });
});

describe('the end of onboarding', () => {
  test('applies the chosen mode to the named environment, with a step-up if that enforces less, and is recorded', async () => {
    const environment_id = s.tenant.environment_id;
    await saveOnboardingStep('mode', { mode: 'OBSERVE' });
    assert.deepEqual(getFault(await completeOnboarding({ environment_id })), [403, 'STEP_UP_REQUIRED', undefined]);
    assert.deepEqual([await readMode(), (await getOnboarding()).json.completed_at], ['ENFORCE', null]);
    await stepUp(s.planes.controlUrl, s.tenant);
    const { status, json } = await completeOnboarding({ environment_id });
    assert.deepEqual([status, json.environment_id, json.next_step, await readMode()], [200, environment_id, null, 'OBSERVE']);
    assert.ok(Date.parse(json.completed_at) > Date.now() - 60_000);
    assert.deepEqual(await events('environment.mode_changed'), [
      {
        severity: 'critical',
        data: { before: { mode: 'ENFORCE' }, after: { mode: 'OBSERVE' }, reason: 'Chosen at onboarding.' },
      },
    ]);
    assert.deepEqual(await events('onboarding.completed'), [
      { severity: 'info', data: { steps: ['mode'], environment_id, mode: 'OBSERVE' } },
    ]);
  });

  test('works without an environment, and then changes none', async () => {
    await saveOnboardingStep('mode', { mode: 'OBSERVE' });
    const { status, json } = await completeOnboarding(undefined);
    assert.deepEqual([status, json.environment_id, await readMode()], [200, null, 'ENFORCE']);
    assert.deepEqual((await events('onboarding.completed'))[0].data, { steps: ['mode'], environment_id: null, mode: null });
  });

  test('happens once under concurrency, and no answer is accepted after it', async () => {
    const answers = await Promise.all(Array.from({ length: 16 }, () => completeOnboarding()));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(15).fill(400)]);
    const refused = answers.find(({ status }) => status === 400);
    assert.deepEqual([refused?.json.error.code, refused?.json.error.details], ['INVALID_STATE_TRANSITION', ENDED]);
    assert.equal((await saveOnboardingStep('goals', { goals: ['late'] })).json.error.code, 'INVALID_STATE_TRANSITION');
    assert.equal((await events('onboarding.completed')).length, 1);
  });

  test('names no environment without the permission to set its mode', async () => {
    const viewer = await insertPerson(s.owner, s.tenant.organization_id, 'viewer', { steppedUp: true });
    await saveOnboardingStep('mode', { mode: 'OBSERVE' }, viewer);
    const refused = await completeOnboarding({ environment_id: s.tenant.environment_id }, viewer);
    assert.deepEqual([refused.status, refused.json.error.details], [403, { permission: 'environment:set_mode' }]);
    assert.equal(await readMode(), 'ENFORCE');
    assert.equal((await completeOnboarding({}, viewer)).status, 200);
  });

  test('is refused with an environment that is foreign or unknown, or without a mode, and stays open then', async () => {
    const other = await newTenant(s.planes);
    assert.deepEqual(getFault(await completeOnboarding({ environment_id: s.tenant.environment_id })), [
      400,
      'VALIDATION_FAILED',
      '/environment_id',
    ]);
    await saveOnboardingStep('mode', { mode: 'SIMULATE' });
    await stepUp(s.planes.controlUrl, s.tenant);
    for (const environment_id of [other.environment_id, 'env_00000000000000000000000000', 'x'])
      assert.deepEqual(getFault(await completeOnboarding({ environment_id })), [404, 'NOT_FOUND', undefined]);
    assert.deepEqual([await readMode(other.environment_id), (await getOnboarding()).json.completed_at], ['ENFORCE', null]);
    assert.equal((await completeOnboarding({ environment_id: s.tenant.environment_id })).status, 200);
    assert.equal(await readMode(), 'SIMULATE');
  });
});
