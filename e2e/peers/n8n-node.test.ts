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
import type { ResumeContext } from '../../sdks/n8n/src/webhook-context.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a gateway answers
type Outputs = { readonly json: any }[][];
type Node = {
  readonly description: typeof import('../../sdks/n8n/src/describe-node.ts').DESCRIPTION;
  execute(this: NodeContext): Promise<Outputs>;
  webhook(this: ResumeContext): Promise<{ readonly workflowData?: Outputs; readonly webhookResponse?: object }>;
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

/** Data that n8n keeps with a suspended execution. */
type Kept = { readonly customData: Map<string, string>; waitsUntil?: Date; status?: number };
const newKept = (): Kept => ({ customData: new Map() });

/** Evaluates the expressions that the node uses. */
const evaluate = ({ customData }: Kept, expression: string): unknown => {
  const [, set, key = '', value = ''] = /customData\.(?:(set)|get)\('(\w+)'(?:, '(\w+)')?\)/.exec(expression) ?? [];
  if (set !== undefined) customData.set(key, value);
  if (key !== '') return customData.get(key);
  return expression.includes('$json') ? { order: 7 } : 'https://automation.service.example/webhook-waiting/1?signature=a';
};

const given = ({ agent }: Governed, { gatewayUrl, parameters, type = 'svcAction' }: Given, kept: Kept) => {
  const values: Record<string, unknown> = { operation: 'act', tool: 'pay', parameters: '{"to": "shop"}', ...parameters };
  const privateKey = agent.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  return {
    values,
    getCredentials: async () => ({ gatewayUrl: gatewayUrl ?? planes.gatewayUrl, agentId: agent.id, keyGeneration: 1, privateKey }),
    getNode: () => ({ id: 'node-1', type: `n8n-nodes-svc-governance.${type}` }),
    evaluateExpression: (expression: string) => evaluate(kept, expression),
  };
};

/** Runs the node as n8n does: the context is `this`. */
const execute = (governed: Governed, options: Given = {}, kept = newKept()) => {
  const { execution = '1', runIndex = 0, items } = options;
  const { values, ...shared } = given(governed, options, kept);
  const context: NodeContext = {
    ...shared,
    getInputData: () => items ?? [{ json: { order: 7 } }],
    getNodeParameter: (name, _at, fallback) => values[name] ?? fallback,
    getExecutionId: () => execution,
    getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
    putExecutionToWait: async (until) => {
      kept.waitsUntil = until;
    },
  };
  return node.execute.call(context);
};

/** Calls the resume address of a suspended execution. */
const resume = (governed: Governed, options: Given, kept: Kept) => {
  const { values, ...shared } = given(governed, options, kept);
  return node.webhook.call({
    ...shared,
    getNodeParameter: (name, fallback) => values[name] ?? fallback,
    getRequestObject: () => ({ headers: {} }),
    getResponseObject: () => ({
      writeHead: (status) => {
        kept.status = status;
        return { end: () => undefined };
      },
    }),
  });
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
  const texts = sources.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  assert.doesNotMatch(texts, /setTimeout|setInterval/);
  // Its type, and one call without an end in time.
  assert.deepEqual(texts.match(/putExecutionToWait\([^)]*\)/g), ['putExecutionToWait(until: Date)', 'putExecutionToWait(NEVER)']);
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

const SUSPENDING = { parameters: { waitMode: 'suspend' } };

test('a suspended execution ends its wait only when the gateway has decided, whoever calls its resume address', async () => {
  const governed = await held();
  const kept = newKept();
  assert.deepEqual(await execute(governed, SUSPENDING, kept), [[], [], []]);
  assert.equal(kept.waitsUntil?.getUTCFullYear(), 3000);
  assert.deepEqual(await resume(governed, SUSPENDING, kept), { webhookResponse: { decision: 'WAITING' } });
  const gone = { ...SUSPENDING, gatewayUrl: 'http://127.0.0.1:9' };
  assert.deepEqual([(await resume(governed, gone, kept)).workflowData, kept.status], [undefined, 502]);
  const [approvalId = ''] = kept.customData.values();
  assert.equal((await governed.owner('POST', `/v1/approvals/${approvalId}/approve`, {})).status, 200);
  const changed = await resume(governed, { parameters: { ...SUSPENDING.parameters, parameters: '{"to": "someone else"}' } }, kept);
  assert.deepEqual(
    changed.workflowData?.map(({ length }) => length),
    [1, 0, 0],
  );
  const [refused, waiting, permitted] = (await resume(governed, SUSPENDING, kept)).workflowData ?? [];
  assert.deepEqual([refused, waiting, permitted?.[0]?.json.order], [[], [], 7]);
  assert.match(permitted?.[0]?.json.svc.action_id, /^act_/);
});

test('a suspended execution continues at Refused after a denial, and one that waits for nothing stays as it is', async () => {
  const governed = await held();
  const kept = newKept();
  assert.deepEqual([(await resume(governed, SUSPENDING, kept)).workflowData, kept.status], [undefined, 409]);
  await execute(governed, SUSPENDING, kept);
  const [approvalId = ''] = kept.customData.values();
  await governed.owner('POST', `/v1/approvals/${approvalId}/deny`, { reason: 'No.' });
  const [refused] = (await resume(governed, SUSPENDING, kept)).workflowData ?? [];
  assert.equal(refused?.[0]?.json.svc.code, 'APPROVAL_NOT_GRANTED');
});

test('only one item is suspended at a time, and only if n8n keeps its approval', async () => {
  const governed = await held();
  const items = [{ json: {} }, { json: {} }];
  await assert.rejects(execute(governed, { ...SUSPENDING, items }), /one item at a time/);
  const full = { customData: Object.assign(new Map<string, string>(), { set: () => undefined }) } as unknown as Kept;
  await assert.rejects(execute(governed, SUSPENDING, full), /no room for the approval/);
  assert.equal(full.waitsUntil, undefined);
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
