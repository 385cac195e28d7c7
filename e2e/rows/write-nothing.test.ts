import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { invite } from '@svc/testing/people/invite.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { readWrites, type Writes } from '@svc/testing/records/read-writes.ts';
import { waitUntil } from '@svc/testing/time/until.ts';
import type pg from 'pg';
import type { Resources } from '../nouns/noun-tests.ts';
import { buildBody } from './bodies.ts';
import { buildPath, createUnknownIds, getAgentTokenOpening, type NamedRow, newSetting, ROWS, type RowTestSetting } from './setting.ts';

/** Rows that claim to write nothing; a new one is included automatically. */
const SILENT = ROWS.filter(([, row]) => row.writesNothing !== undefined);

/** Queries of the rows that need one. */
const QUERIES: Readonly<Record<string, string>> = { diffPolicy: '?from=1&to=2&days=30' };

let setting: RowTestSetting;
let owner: pg.Client;
/** Bodies that are valid only in this test. */
const right: Record<string, object> = {};
/** Resources for one row only. */
const own: Record<string, Partial<Resources>> = {};

/** Limits that count calls and amounts, in addition to the approval rule: everything that a decision could take or open. */
const LIMITS = [
  { id: 'fine', effect: 'ALLOW', reason: 'Fine.' },
  { id: 'few', effect: 'LIMIT', limit: { max_calls: 3, window_seconds: 3600 }, reason: 'Three an hour.' },
  { id: 'small', effect: 'MASK', mask: { parameters: ['iban'] }, reason: 'Numbers of accounts are nobody’s business.' },
];

before(async () => {
  setting = await newSetting();
  owner = await setting.planes.database.client();
  const { tenant, resources } = setting;
  const { code } = await invite(owner, tenant, { email: 'somebody@example.com', role_id: resources.roleId });
  right.readInvitation = { code };
  const { controlUrl, token, environment_id } = tenant;
  const execution = { method: 'POST', url: 'https://api.example.com/' };
  const called = {
    name: 'called',
    environment_id,
    required_capability: 'x',
    kind: 'HTTP',
    destination_allowlist: ['api.example.com'],
    execution,
  };
  own.dryCallTool = { toolId: (await mustCall(controlUrl, 'POST', '/v1/tools', { token, body: called })).id };
  right.dryCallTool = { agent_id: setting.agent.id, parameters: { iban: 'DE89' } };
  await activateRules(tenant, 'limits', LIMITS, [{ name: 'is limited', given: {}, then: { effect: 'LIMIT' } }]);
  await newControlClient(tenant.controlUrl, tenant.token).updatePolicy({
    params: { policyId: resources.policyId },
    body: { rules: LIMITS, tests: [] },
  });
  // Mails of the setup are sent first, since sending writes too.
  await waitUntil('mails sent', async () => (await owner.query("select from mails where state = 'WAITING'")).rowCount === 0);
});
after(async () => {
  await owner.end();
  await setting.planes.stop();
});

/** Long enough ago that each use of a credential would be recorded. */
const makeUseDue = async (): Promise<void> => {
  await owner.query("update sessions set last_used_at = now() - interval '2 minutes'");
  await owner.query("update api_keys set last_used_at = now() - interval '2 minutes'");
};

const differences = (before: Writes, after: Writes): string[] =>
  Object.keys({ ...before, ...after })
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name}: ${before[name]} -> ${after[name]}`);

const FORM_TYPE = 'application/x-www-form-urlencoded';

type Way = {
  readonly token: string;
  readonly resources?: Resources;
  readonly more?: object;
  readonly headers?: Readonly<Record<string, string>>;
};

const ask = (
  [name, row]: NamedRow,
  { token, resources = { ...setting.resources, ...own[name] }, more, headers }: Way,
): Promise<TestResponse> => {
  const base = row.plane === 'control' ? setting.planes.controlUrl : setting.planes.gatewayUrl;
  const dry = row.writesNothing === 'dry_run' ? { dry_run: true } : {};
  const content = row.body && { ...buildBody(name, setting), ...right[name], ...dry, ...more };
  if (row.wire === 'form' && content) {
    const raw = new URLSearchParams(content as Record<string, string>).toString();
    return call(base, row.method, buildPath(row, resources), { token, raw, headers: { ...headers, 'content-type': FORM_TYPE } });
  }
  const body = content ? { body: content } : {};
  return call(base, row.method, `${buildPath(row, resources)}${QUERIES[name] ?? ''}`, { token, ...body, ...(headers ? { headers } : {}) });
};

/** Sends requests of every caller, with and without an idempotency key; then requests with an invalid body, path and caller. */
const askEveryWay = async (row: NamedRow): Promise<TestResponse[]> => {
  const { credential } = row[1];
  const isAgent = credential === 'agent';
  const keys = credential === 'person' ? [] : [setting.keys.admin, setting.keys.developer];
  const tokens = isAgent ? [getAgentTokenOpening(row[1], setting)] : [setting.owner, ...keys];
  const answers: TestResponse[] = [];
  for (const token of tokens) {
    answers.push(await ask(row, { token }));
    answers.push(await ask(row, { token, headers: { 'idempotency-key': `once-${row[0]}` } }));
    await ask(row, { token, more: { nobody_knows: 1 } });
    await ask(row, { token, resources: createUnknownIds(setting.resources) });
  }
  if (!isAgent) {
    await ask(row, { token: setting.keys.viewer });
    await ask(row, { token: setting.stranger });
  }
  return answers;
};

describe('rows declared as writing nothing write nothing: no row, no sequence, no counter, no use of a credential, nothing rolled back', () => {
  test('the rows that declare it are those that simulate, preview, run tests, compare and decide dry', () => {
    const names = SILENT.map(([name]) => name);
    for (const name of [
      'simulatePolicy',
      'runPolicyTests',
      'previewPolicyTests',
      'diffPolicy',
      'simulateDelegation',
      'evaluateAction',
      'act',
    ])
      assert.ok(names.includes(name), `${name} does not claim to write nothing`);
  });

  for (const row of SILENT) {
    test(row[0], async () => {
      await makeUseDue();
      const before = await readWrites(owner);
      const answers = await askEveryWay(row);
      assert.deepEqual(differences(before, await readWrites(owner)), []);
      const served = answers.filter(({ status, json }) => status === 200 || json?.error?.details?.decision !== undefined);
      assert.equal(served.length, answers.length, answers.map(({ status, text }) => `${status} ${text.slice(0, 200)}`).join('\n'));
    });
  }

  for (const mode of ['OBSERVE', 'SIMULATE', 'ENFORCE']) {
    test(`dry runs while the environment is in mode ${mode}`, async () => {
      const { tenant, resources } = setting;
      const path = `/v1/environments/${resources.environmentId}/gateway-mode`;
      await mustCall(tenant.controlUrl, 'POST', path, { token: tenant.token, body: { mode, reason: 'to see' } });
      await makeUseDue();
      const before = await readWrites(owner);
      for (const row of SILENT.filter(([, { writesNothing }]) => writesNothing === 'dry_run')) await askEveryWay(row);
      assert.deepEqual(differences(before, await readWrites(owner)), []);
    });
  }

  test('the comparison detects one use of a credential, one dry run that writes, and one row written unchanged', async () => {
    await makeUseDue();
    const { tenant, agent } = setting;
    const shows = async (work: () => Promise<unknown>): Promise<string> => {
      const before = await readWrites(owner);
      await work();
      return differences(before, await readWrites(owner)).join('\n');
    };
    assert.match(await shows(() => newControlClient(tenant.controlUrl, tenant.token).listAgents()), /^sessions: /m);
    const body = { agent_id: agent.id, tool: 'x' };
    assert.match(await shows(() => newControlClient(tenant.controlUrl, tenant.token).evaluateAction({ body })), /^actions: /m);
    assert.match(await shows(() => owner.query('update tools set name = name')), /^tools: /m);
    assert.match(await shows(() => owner.query('begin; update tools set name = name; rollback')), /^tools \(server's count\): /m);
  });
});
