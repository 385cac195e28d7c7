import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { getSetupToken } from '@svc/testing/people/setup-token.ts';
import { signUp } from '@svc/testing/people/tenant.ts';
import { getPersonsEnvironment, type LaunchedService, launchService } from '@svc/testing/processes/launch-service.ts';

const home = mkdtempSync(path.join(tmpdir(), 'svc-demo-test-'));
const dataDir = path.join(home, 'data');
let service: LaunchedService;
before(async () => {
  service = await launchService({ dataDir });
});
after(async () => {
  await service?.stop();
  rmSync(home, { recursive: true, force: true });
});

type Played = { readonly status: number | null; readonly said: string; readonly complained: string };

const play = (env: Readonly<Record<string, string>>): Promise<Played> =>
  new Promise((resolve) => {
    const file = path.join(import.meta.dirname, 'demo.ts');
    const child = execFile(process.execPath, [file], { env: getPersonsEnvironment(env), timeout: 120_000 }, (_error, said, complained) =>
      resolve({ status: child.exitCode, said, complained }),
    );
  });

/** Returns the part of the README that shows the demo's output. */
const readmeTranscript = (): string =>
  /^```text\n(.*?)^```$/ms.exec(readFileSync(path.join(import.meta.dirname, '../../../README.md'), 'utf8'))?.[1] ?? '';

const CHAPTERS = [
  'Ada signs up and makes a place for agents',
  'An agent with a key of its own, and two tools it may ask for',
  'Rules that are tested before they bind',
  'A refund of 120.00 is allowed, and carried out',
  'A refund of 900.00 waits for a person, and runs once',
  'A refund of 9,000.00 is refused, and the answer explains itself',
  "A function of the agent's own runs only after asking, and its outcome is recorded",
  'In SIMULATE the same requests are decided and recorded, and nothing is carried out',
  'The environment is paused, and resumed',
  'The agent is revoked: its next call is refused, even with a valid token',
  'The audit record of the refund that Ada approved',
];

const KEY_LINES = [
  'The test "5,000.01 is blocked" fails.',
  'answer  ALLOW, COMPLETED: Refunds up to 500.00 go through.',
  'sandbox received {"order":"order-1001","amount":12000,"currency":"USD"}',
  'answer  403 APPROVAL_REQUIRED: Refunds over 500.00 require approval.',
  'answer  403 APPROVAL_NOT_GRANTED: The approval was given for a different request.',
  'answer  REQUIRE_APPROVAL, COMPLETED',
  'sandbox received order-1002 once',
  'answer  403 ACTION_BLOCKED: Refunds over 5,000.00 are never made by an agent.',
  'yes  amount is more than 500000; it is 900000',
  'answer  the function ran and returned {"name":"Grace","email":"grace@example.com"}',
  'answer  BLOCK, SIMULATED',
  'answer  403 ENVIRONMENT_PAUSED',
  'answer  401 AGENT_IDENTITY_REVOKED',
  'approval.approved         Ada',
  'The demo is complete.',
];

describe('the demo', () => {
  let first: Played;
  before(async () => {
    first = await play({ DATA_DIR: dataDir });
  });

  test('runs the whole main job, and every step succeeds', () => {
    assert.deepEqual([first.status, first.complained], [0, '']);
    const told = [...first.said.matchAll(/^\d+\. (.*)$/gm)].map(([, title]) => title);
    assert.deepEqual(told, CHAPTERS);
    for (const line of KEY_LINES) assert.ok(first.said.includes(line), line);
  });

  test('takes three minutes to read, and is plain text without a terminal', () => {
    assert.ok(first.said.split('\n').length < 200);
    assert.equal(first.said.includes('\u001b'), false);
  });

  test('shows no secret', () => {
    assert.doesNotMatch(first.said, /svc_(ses|key|setup)_|eyJ|MC4CAQ/);
    assert.match(first.said, /"password":"…"/);
  });

  test('explains how to sign in as Ada, and keeps the set-up link for the first user', async () => {
    const [, email, password] = /e-mail\s+(\S+)\n\s+password\s+(\S+)/.exec(first.said) ?? [];
    const session = await mustCall(service.controlUrl, 'POST', '/v1/auth/login', { body: { email, password } });
    const agents = await mustCall(service.controlUrl, 'GET', '/v1/agents', { token: session.token });
    assert.deepEqual([session.user.name, agents.total], ['Ada', 1]);
    const link = /First set-up\s+(\S+)/.exec(service.said())?.[1] ?? '';
    const setup_token = getSetupToken({ setupUrl: link });
    const isGood = () => call(service.controlUrl, 'POST', '/v1/auth/signup/check', { body: { setup_token } });
    assert.equal((await isGood()).status, 200);
    await signUp(service.controlUrl);
    assert.equal((await isGood()).status, 410);
  });

  test('prints, line by line, what the README shows', () => {
    const transcript = readmeTranscript();
    assert.ok(transcript.includes('ACTION_BLOCKED'), 'the README shows a refusal');
    assert.ok(first.said.includes(transcript), transcript);
  });

  test('can run again on the same service', async () => {
    const again = await play({ DATA_DIR: dataDir, CONTROL_PLANE_PORT: new URL(service.controlUrl).port });
    assert.deepEqual([again.status, again.complained], [0, '']);
  });
});

describe('the demo ends with one sentence that states what to do', () => {
  test('if no service runs', async () => {
    const { status, said, complained } = await play({ DATA_DIR: path.join(home, 'nothing') });
    assert.deepEqual([status, said], [1, '']);
    assert.match(complained, /^No service runs from \S+nothing: start it with "npm start" in another terminal, .*\.\n$/);
  });

  test('if any step has another result', async () => {
    const elsewhere = path.join(home, 'narrow');
    const narrow = await launchService({ dataDir: elsewhere, env: { SVC_RATE_CONTROL_PLANE_PER_MINUTE: '5' } });
    try {
      const { status, said, complained } = await play({ DATA_DIR: elsewhere });
      assert.equal(status, 1);
      assert.match(complained, /^POST \S+ was to succeed and answered 429 RATE_LIMITED: .*\n$/);
      assert.equal(said.includes('The demo is complete'), false);
    } finally {
      assert.equal(await narrow.stop(), 0);
    }
  });
});
