import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { TEST_MASTER_KEY } from '@svc/testing/database/master-key.ts';
import { call } from '@svc/testing/people/client.ts';
import { newTenant } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';

const root = path.resolve(import.meta.dirname, '../..');

let planes: Planes;
before(async () => {
  planes = await startPlanes({ gateways: 2 });
});
after(() => planes.stop());

type Ended = { readonly code: number; readonly said: string };

const breakGlass = (...words: readonly string[]): Promise<Ended> => breakGlassWith(TEST_MASTER_KEY, ...words);

const breakGlassWith = (masterKey: string, ...words: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { ...process.env, DATABASE_URL: planes.database.url, SVC_MASTER_KEY: masterKey };
    execFile(process.execPath, [path.join(root, 'apps/launcher/src/break-glass.ts'), ...words], { cwd: root, env }, (error, out, errors) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: out + errors }),
    );
  });

const readCodes = async ({ act }: Governed): Promise<string[]> => {
  const answers = await Promise.all([0, 1].map((gateway) => act({ parameters: {} }, { gateway })));
  return answers.map(({ status, json }) => (status === 200 ? json.status : json.error.code));
};

const wrongSignIns = async (email: string): Promise<void> => {
  const body = { email, password: 'a guess' };
  for (let n = 0; n < 10; n += 1) await call(planes.controlUrl, 'POST', '/v1/auth/login', { body });
  assert.equal((await call(planes.controlUrl, 'POST', '/v1/auth/login', { body })).status, 429);
};

const readEvents = async ({ tenant, owner }: Governed, type: string) => {
  const { data } = (await owner('GET', `/v1/audit-events?type=${type}`)).json;
  assert.equal(data[0].organization_id, tenant.organization_id);
  return data;
};

test('the operator of the machine pauses an organization while its owner is locked out, and every gateway applies it at once', async () => {
  const [governed, neighbour] = [await newGoverned(planes), await newGoverned(planes)];
  const { tenant } = governed;
  await wrongSignIns(tenant.email);
  assert.deepEqual(await readCodes(governed), ['ALLOWED', 'ALLOWED']);
  const { code, said } = await breakGlass('pause', tenant.organization_id, '--reason', 'It runs wild.');
  assert.deepEqual([code, said.includes(`${tenant.environment_id}  is PAUSED now`)], [0, true], said);
  assert.deepEqual(await readCodes(governed), ['ENVIRONMENT_PAUSED', 'ENVIRONMENT_PAUSED']);
  assert.deepEqual(await readCodes(neighbour), ['ALLOWED', 'ALLOWED']);
  const [event] = await readEvents(governed, 'environment.paused');
  assert.deepEqual([event.actor.type, event.actor.id, event.severity], ['SYSTEM', 'break-glass', 'critical']);
  assert.deepEqual([event.data.reason, event.data.break_glass], ['It runs wild.', true]);
  const again = await breakGlass('pause', tenant.organization.name, '--environment', tenant.environment_id, '--reason', 'Once more.');
  assert.deepEqual([again.code, /was paused before/.test(again.said)], [0, true], again.said);
});

test('the operator suspends one agent with its sessions, and the rest continues', async () => {
  const governed = await newGoverned(planes);
  const { tenant, agent } = governed;
  assert.deepEqual(await readCodes(governed), ['ALLOWED', 'ALLOWED']);
  const stopped = await breakGlass('suspend', tenant.organization_id, '--agent', agent.id, '--reason', 'It is not itself.');
  assert.deepEqual([stopped.code, /is SUSPENDED now/.test(stopped.said)], [0, true], stopped.said);
  assert.deepEqual(await readCodes(governed), ['AGENT_NOT_OPERATIONAL', 'AGENT_NOT_OPERATIONAL']);
  const [event] = await readEvents(governed, 'agent.suspended');
  assert.deepEqual([event.actor.id, event.subject.id, event.severity], ['break-glass', agent.id, 'critical']);
});

test('reports what it cannot stop and what it does not understand', async () => {
  const [mine, other] = [await newTenant(planes), await newTenant(planes)];
  const foreign = await breakGlass('pause', mine.organization_id, '--environment', other.environment_id, '--reason', 'x');
  assert.deepEqual([foreign.code, /no such thing in this organization/.test(foreign.said)], [1, true], foreign.said);
  assert.equal((await breakGlass('pause', mine.organization_id)).code, 2);
  assert.equal((await breakGlass('resume', mine.organization_id, '--reason', 'x')).code, 2);
  const help = await breakGlass('--help');
  assert.deepEqual([help.code, /^Stops the agents of an organization/.test(help.said)], [0, true], help.said);
  const stranger = await breakGlassWith(randomBytes(32).toString('base64'), 'pause', 'x', '--reason', 'x');
  assert.deepEqual(
    [stranger.code, /does not let this command in: the master key must be the one/.test(stranger.said)],
    [1, true],
    stranger.said,
  );
  const nobody = await breakGlass('pause', 'org_00000000000000000000000000', '--reason', 'x');
  assert.deepEqual([nobody.code, /There is no organization/.test(nobody.said)], [1, true], nobody.said);
});
