import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { bundleNode } from '../../sdks/n8n/build/bundle-node.ts';
import type { Item, NodeContext } from '../../sdks/n8n/src/node-context.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a gateway answers
type Outputs = { readonly json: any }[][];
type Node = {
  readonly description: typeof import('../../sdks/n8n/src/describe-node.ts').DESCRIPTION;
  execute(this: NodeContext): Promise<Outputs>;
};

const dist = mkdtempSync(join(tmpdir(), 'n8n-node-'));
let planes: Planes;
let node: Node;
before(async () => {
  planes = await leasePlanes();
  await bundleNode(dist);
  const { SvcAction } = createRequire(import.meta.url)(join(dist, 'SvcAction.node.js'));
  node = new SvcAction();
});
after(async () => {
  await planes?.stop();
  rmSync(dist, { recursive: true });
});

type Given = Partial<{
  execution: string;
  runIndex: number;
  type: string;
  gatewayUrl: string;
  items: Item[];
  parameters: Record<string, unknown>;
}>;

/** Runs the node as n8n does: the context is `this`. */
const execute = ({ agent }: Governed, { execution = '1', runIndex = 0, type = 'svcAction', gatewayUrl, items, parameters }: Given = {}) => {
  const given: Record<string, unknown> = { operation: 'act', tool: 'pay', parameters: '{"to": "shop"}', ...parameters };
  const privateKey = agent.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const context: NodeContext = {
    getInputData: () => items ?? [{ json: { order: 7 } }],
    getNodeParameter: (name, _at, fallback) => given[name] ?? fallback,
    getCredentials: async () => ({ gatewayUrl: gatewayUrl ?? planes.gatewayUrl, agentId: agent.id, keyGeneration: 1, privateKey }),
    getExecutionId: () => execution,
    getNode: () => ({ id: 'node-1', type: `n8n-nodes-svc-governance.${type}` }),
    getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
  };
  return node.execute.call(context);
};

const countActions = async ({ agent }: Governed): Promise<number> => {
  const client = await planes.database.client();
  const { rows } = await client.query('select count(*)::int as count from actions where agent_id = $1', [agent.id]);
  await client.end();
  return rows[0].count;
};
const held = () => newGoverned(planes, { rules: [{ id: 'held', effect: 'REQUIRE_APPROVAL', reason: 'A person looks.' }] });

test('a permitted action leaves by the last output with its id, and a retry of the execution creates one action', async () => {
  const governed = await newGoverned(planes);
  const [refused, waiting, permitted] = await execute(governed);
  assert.deepEqual([refused, waiting, permitted?.length], [[], [], 1]);
  const { order, svc } = permitted?.[0]?.json ?? {};
  assert.deepEqual([order, svc.decision, svc.executed], [7, 'PERMITTED', false]);
  assert.match(svc.action_id, /^act_/);
  await execute(governed);
  assert.equal(await countActions(governed), 1);
  await execute(governed, { runIndex: 1 });
  await execute(governed, { execution: '2' });
  assert.equal(await countActions(governed), 3);
});

test('a refused action leaves by the first output with code and action id', async () => {
  const governed = await newGoverned(planes, { rules: [{ id: 'no', effect: 'BLOCK', reason: 'Not here.' }] });
  const [refused, waiting, permitted] = await execute(governed);
  assert.deepEqual([waiting, permitted], [[], []]);
  const { svc } = refused?.[0]?.json ?? {};
  assert.deepEqual([svc.decision, svc.code], ['REFUSED', 'ACTION_BLOCKED']);
  assert.match(svc.action_id, /^act_/);
});

test('items that n8n itself sends to the first output are refused: errors, disabled nodes, time', () => {
  assert.equal(node.description.outputNames[0], 'Refused');
  const folder = join(import.meta.dirname, '../../sdks/n8n/src');
  const sources = readdirSync(folder).filter((file) => !file.endsWith('.test.ts'));
  for (const file of sources) assert.doesNotMatch(readFileSync(join(folder, file), 'utf8'), /putExecutionToWait|setTimeout/, file);
});

test('an approval is passed only by a request to the gateway: not by time, and not when it is denied', async () => {
  const governed = await held();
  const [, waiting] = await execute(governed);
  const { approval_id } = waiting?.[0]?.json.svc ?? {};
  const collect = () => execute(governed, { parameters: { operation: 'collect', approvalId: approval_id } });
  for (let tries = 0; tries < 3; tries += 1)
    assert.deepEqual(
      (await collect()).map(({ length }) => length),
      [0, 1, 0],
    );
  await governed.owner('POST', `/v1/approvals/${approval_id}/deny`, { reason: 'No.' });
  const [refused] = await collect();
  assert.equal(refused?.[0]?.json.svc.code, 'APPROVAL_NOT_GRANTED');
});

test('an approved action is permitted once, and collecting it again returns the same action', async () => {
  const governed = await held();
  const [, waiting] = await execute(governed);
  const { approval_id } = waiting?.[0]?.json.svc ?? {};
  const { status, text } = await governed.owner('POST', `/v1/approvals/${approval_id}/approve`, {});
  assert.equal(status, 200, text);
  const collect = (parameters = {}) => execute(governed, { parameters: { operation: 'collect', approvalId: approval_id, ...parameters } });
  const [other] = await collect({ parameters: '{"to": "someone else"}' });
  assert.equal(other?.[0]?.json.svc.decision, 'REFUSED');
  const [, , first] = await collect();
  const [, , second] = await collect();
  assert.ok(first?.[0]);
  assert.equal(second?.[0]?.json.svc.action_id, first[0].json.svc.action_id);
});

test('an unreachable gateway, a wrong key and malformed parameters fail the execution', async () => {
  const governed = await newGoverned(planes);
  await assert.rejects(execute(governed, { gatewayUrl: 'http://127.0.0.1:9' }), { code: 'GATEWAY_UNREACHABLE' });
  await assert.rejects(
    execute(await newGoverned(planes).then((other) => ({ ...other, agent: { ...other.agent, id: governed.agent.id } }))),
    {
      code: 'AGENT_AUTHENTICATION_FAILED',
    },
  );
  await assert.rejects(execute(governed, { parameters: { parameters: '{' } }), SyntaxError);
  assert.equal(await countActions(governed), 0);
});

test('a simulated permission does not count', async () => {
  const governed = await newGoverned(planes);
  await governed.owner('POST', `/v1/environments/${governed.tenant.environment_id}/gateway-mode`, { mode: 'SIMULATE', reason: 'test' });
  const [refused] = await execute(governed);
  assert.deepEqual([refused?.[0]?.json.svc.decision, refused?.[0]?.json.svc.mode], ['REFUSED', 'SIMULATE']);
});

test('a tool of a model has one output, which states the decision', async () => {
  const outputs = await execute(await newGoverned(planes), { type: 'svcActionTool' });
  assert.deepEqual([outputs.length, outputs[0]?.[0]?.json.svc.decision], [1, 'PERMITTED']);
});
