import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { newDelegating } from '@svc/testing/agents/delegating.ts';
import { type Governed, type GovernedOptions, newGoverned } from '@svc/testing/agents/governed.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { findPython } from '@svc/testing/processes/find-python.ts';
import { getPersonsEnvironment } from '@svc/testing/processes/launch-service.ts';

const folder = path.resolve(import.meta.dirname, '../../sdks/python');

const RULES = [
  { id: 'forbidden', effect: 'BLOCK', when: { field: 'amount', op: 'gt', value: 100_000 }, reason: 'Too much for any agent.' },
  { id: 'large', effect: 'REQUIRE_APPROVAL', when: { field: 'amount', op: 'gt', value: 50_000 }, reason: 'A person looks at large ones.' },
  { id: 'rest', effect: 'ALLOW', reason: 'Small ones are permitted.' },
];
const MASKS = [
  { id: 'rest', effect: 'ALLOW', reason: 'Permitted.' },
  { id: 'hide', effect: 'MASK', reason: 'Hidden.', mask: { parameters: ['customer.iban', 'list.*.pin'], result: ['*.email', 'a~1b.0'] } },
];
const BASE = { rules: RULES, tests: [{ name: 'small', given: { amount: 1 }, then: { effect: 'ALLOW' } }] };

type Agent = Governed['agent'];
const agentFacts = ({ id, privateKey }: Agent) => ({
  id,
  private_key: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
});

const newScene = async (planes: Planes, options: GovernedOptions) => {
  const { tenant, agent, tool } = await newGoverned(planes, options);
  const { controlUrl, token, environment_id } = tenant;
  return {
    ...{ gateway_url: planes.gatewayUrl, control_url: controlUrl, token, environment_id, tool_id: tool.id },
    agents: [agentFacts(agent)],
  };
};

const newDelegatingScene = async (planes: Planes) => {
  const scene = await newDelegating(planes, 2);
  const parent_id = await scene.root(0, { scope: { capabilities: ['pay'] }, ceiling: { max_amount: 5_000, currency: 'USD' } });
  return { gateway_url: planes.gatewayUrl, agents: scene.agents.map(agentFacts), parent_id };
};

/** Runs Python test modules; throws a failure with their output. */
const runTests = async (python: string, modules: readonly string[], env: Record<string, string>): Promise<void> => {
  const given = getPersonsEnvironment({ PYTHONPATH: path.join(folder, 'src'), PYTHONDONTWRITEBYTECODE: '1', ...env });
  const child = spawn(python, ['-W', 'error', '-m', 'unittest', '-v', ...modules], { cwd: folder, env: given, timeout: 300_000 });
  const [[code], printed] = await Promise.all([once(child, 'close'), text(child.stderr), text(child.stdout)]);
  assert.equal(code, 0, printed);
  assert.match(printed, /^Ran [1-9]\d* tests? in/m);
  assert.match(printed, /^OK$/m, printed);
};

test('both clients have one version', () => {
  const { version } = JSON.parse(readFileSync(path.join(folder, '../../packages/sdk/package.json'), 'utf8'));
  assert.match(readFileSync(path.join(folder, 'src/svc_sdk/_version.py'), 'utf8'), new RegExp(`^__version__ = "${version}"$`, 'm'));
});

const { python, missing } = findPython();

describe('the Python client', { skip: missing }, () => {
  test('passes the shared vectors, and its guards hold against a faulty gateway', async () => {
    const modules = ['vectors', 'client', 'guard', 'frameworks'].map((name) => `tests.test_${name}`);
    await runTests(python, modules, {});
  });

  test('works against the service itself', async () => {
    const planes = await leasePlanes();
    try {
      const scenes = {
        base: await newScene(planes, BASE),
        proving: await newScene(planes, BASE),
        modes: await newScene(planes, BASE),
        stopping: await newScene(planes, BASE),
        masks: await newScene(planes, { rules: MASKS, tests: [{ name: 'any', given: {}, then: { effect: 'MASK' } }] }),
        delegating: await newDelegatingScene(planes),
      };
      await runTests(python, ['tests.test_planes'], { SVC_TEST_SCENES: JSON.stringify(scenes) });
    } finally {
      await planes.stop();
    }
  });
});
