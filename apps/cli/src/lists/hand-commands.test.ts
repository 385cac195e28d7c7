import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { newGoverned } from '@svc/testing/agents/governed.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { openSvc, type Svc } from '@svc/testing/processes/open-svc.ts';
import { HAND_COMMANDS } from '../all-commands.ts';

const RULES = [{ id: 'held', effect: 'REQUIRE_APPROVAL', reason: 'A person looks at it.' }];
const TESTS = [{ name: 'is held', given: { 'tool.name': 'pay' }, then: { effect: 'REQUIRE_APPROVAL' } }];

let planes: Planes;
let svc: Svc;
let password: string;
let ids: { readonly action: string; readonly approval: string; readonly agent: string; readonly environment: string };
before(async () => {
  planes = await leasePlanes();
  const at = await newGoverned(planes, { rules: RULES, tests: TESTS });
  svc = openSvc({ SVC_URL: planes.controlUrl, SVC_TOKEN: at.tenant.token });
  password = at.tenant.password;
  const { json } = await at.act({ amount: 100, currency: 'USD' });
  const { approval_id, decision } = json.error.details;
  ids = { action: decision.action_id, approval: approval_id, agent: at.agent.id, environment: at.tenant.environment_id };
  mkdirSync(join(svc.folder, 'policies'));
  writeFileSync(join(svc.folder, 'openapi.json'), '{"openapi":"3.1.0","info":{"title":"Payments","version":"1"},"paths":{}}');
});
after(async () => {
  svc?.remove();
  await planes?.stop();
});

/** Arguments with which each command that ends by itself is tried. */
const args = (): Readonly<Record<string, readonly string[]>> => ({
  logout: [],
  whoami: [],
  status: [],
  'config list': [],
  'config set': ['environment', 'Production'],
  'config get': ['environment'],
  'config path': [],
  explain: ['AUTHORITY_EXCEEDED'],
  api: ['GET', '/v1/agents'],
  open: ['approvals', '--print'],
  completion: ['bash'],
  version: ['--check'],
  init: ['hello', '-e', ids.environment],
  run: ['hello.say', '--param', 'name=Ada', '--dry-run'],
  why: [ids.action],
  'actions why': [ids.action],
  simulate: [ids.agent, 'pay'],
  'approvals get': [ids.approval],
  'delegations tree': [],
  'policies pull': [],
  'policies plan': [],
  'policies apply': ['--draft-only'],
  'policies check': [],
  'policies test': [],
  doctor: [],
  'emergency stop': ['--agent', ids.agent, '--reason', 'Unexpected refunds.'],
  'env mode': [ids.environment],
  deploy: [ids.environment, 'enforce'],
  'env contexts': [ids.environment],
  'tools try': ['pay'],
  'tools import': ['openapi.json', '-e', ids.environment],
  'audit verify': [],
  'step-up': ['--password-stdin'],
  'mcp import': ['--client', 'cursor'],
});

/** Commands that follow something, start a server or wait for a browser. Their own tests read their output. */
const OPEN_ENDED = ['login', 'actions tail', 'audit tail', 'approvals watch', 'webhooks listen', 'mcp proxy', 'mcp register'];

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('tries every command that is written by hand, or names the reason why it does not end', () => {
  const tried = [...Object.keys(args()), ...OPEN_ENDED].toSorted();
  assert.deepEqual(tried, HAND_COMMANDS.map(({ words }) => words.join(' ')).toSorted());
});

test('every command written by hand prints one JSON document with --json', async () => {
  const wrong: string[] = [];
  for (const [words, given] of Object.entries(args())) {
    // The project that `init` wrote has the agent of `run`.
    const cwd = words === 'run' ? join(svc.folder, 'hello') : svc.folder;
    const { code, stdout, stderr } = await svc.run([...words.split(' '), ...given, '--json', '--yes'], { cwd, input: `${password}\n` });
    // A refusal is the one JSON document of standard error, and nothing is on standard output.
    const isRight = stdout === '' ? code !== 0 && isJson(stderr.trim().split('\n').at(-1) ?? '') : isJson(stdout);
    if (!isRight || code === 2) wrong.push(`${words}: ${code} ${stdout.slice(0, 200)} ${stderr.slice(0, 300)}`);
  }
  assert.deepEqual(wrong, []);
});
