import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { Governance } from '../governance.ts';
import { ActionBlocked, ApprovalNotGranted, ApprovalRequired, type GovernanceError } from '../wire/errors.ts';
import type { GuardOptions } from '../wire/options.ts';

/** Guarded functions as tools of the `ai` package, with the running service; only the model is scripted. */
let planes: Planes;
before(async () => {
  planes = await leasePlanes();
});
after(() => planes.stop());

const RULES = [
  { id: 'forbidden', effect: 'BLOCK', when: { field: 'amount', op: 'gt', value: 500_000 }, reason: 'No agent refunds over 5,000.00.' },
  { id: 'large', effect: 'REQUIRE_APPROVAL', when: { field: 'amount', op: 'gt', value: 50_000 }, reason: 'A person approves over 500.00.' },
  { id: 'rest', effect: 'ALLOW', reason: 'Small refunds are allowed.' },
];

type Refund = { readonly order: string; readonly cents: number };

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** A model that calls the tool once and then responds. */
const modelThatRefunds = (input: Refund): MockLanguageModelV4 =>
  new MockLanguageModelV4({
    doGenerate: [
      {
        content: [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'refund', input: JSON.stringify(input) }],
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      },
      { content: [{ type: 'text', text: 'Done.' }], finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] },
    ],
  });

const newScene = async (options: Partial<GuardOptions<[Refund], { refunded: number }>> = {}) => {
  const tests = [{ name: 'small', given: { amount: 1 }, then: { effect: 'ALLOW' } }];
  const governed = await newGoverned(planes, { rules: RULES, tests });
  const governance = new Governance({
    gatewayUrl: planes.gatewayUrl,
    agentId: governed.agent.id,
    privateKey: governed.agent.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  });
  const ran: Refund[] = [];
  const refund = governance.guard(
    'pay',
    async (order: Refund) => {
      ran.push(order);
      return { refunded: order.cents };
    },
    { request: ({ order, cents }) => ({ parameters: { order }, amount: cents, currency: 'USD' }), ...options },
  );
  const ask = async (input: Refund) => {
    const model = modelThatRefunds(input);
    const { steps } = await generateText({
      model,
      prompt: 'Refund the order.',
      stopWhen: stepCountIs(3),
      tools: {
        refund: tool({
          description: 'Refunds an order. Amounts are in cents.',
          inputSchema: jsonSchema<Refund>({
            type: 'object',
            properties: { order: { type: 'string' }, cents: { type: 'integer' } },
            required: ['order', 'cents'],
          }),
          execute: (order) => refund(order),
        }),
      },
    });
    const [part] = steps[0]?.content.filter(({ type }) => type === 'tool-error' || type === 'tool-result') ?? [];
    return { part, seen: JSON.stringify(model.doGenerateCalls[1]?.prompt.at(-1)) };
  };
  return { governed, ran, ask };
};

const readError = (part: unknown): GovernanceError => (part as { readonly error: GovernanceError }).error;

const pending = async (governed: Governed): Promise<string> => {
  for (;;) {
    const { json } = await governed.owner('GET', '/v1/approvals?status=PENDING');
    if (json.length > 0) return json[0].id;
  }
};

test('a permitted tool call runs once, and the model gets its result', async () => {
  const { ran, ask } = await newScene();
  const { part, seen } = await ask({ order: 'o-1', cents: 1_250 });
  assert.equal(part?.type, 'tool-result');
  assert.deepEqual(ran, [{ order: 'o-1', cents: 1_250 }]);
  assert.match(seen, /"refunded":1250/);
});

test('a blocked tool call does not run, and the model reads the reason and the remedy', async () => {
  const { ran, ask } = await newScene();
  const { part, seen } = await ask({ order: 'o-2', cents: 900_000 });
  assert.equal(part?.type, 'tool-error');
  assert.ok(readError(part) instanceof ActionBlocked);
  assert.deepEqual(ran, []);
  assert.match(seen, /ActionBlocked: No agent refunds over 5,000\.00\. Do not repeat this call\./);
});

test('a held tool call does not run, and the model reads that it waits for a person', async () => {
  const { ran, ask } = await newScene();
  const { part, seen } = await ask({ order: 'o-3', cents: 90_000 });
  assert.ok(readError(part) instanceof ApprovalRequired);
  assert.deepEqual(ran, []);
  assert.match(seen, /A person must approve this call first \(approval apr_\w+\)\. Do not repeat it or change it/);
});

test('a tool call that waits runs after the approval, and not after a denial', async () => {
  const { governed, ran, ask } = await newScene({ waitForApproval: { timeoutMs: 60_000 } });
  const decide = async (verb: string, body: object): Promise<void> => {
    const { status, text } = await governed.owner('POST', `/v1/approvals/${await pending(governed)}/${verb}`, body);
    assert.equal(status, 200, text);
  };
  const [approved] = await Promise.all([ask({ order: 'o-4', cents: 90_000 }), decide('approve', {})]);
  assert.equal(approved.part?.type, 'tool-result');
  const [denied] = await Promise.all([ask({ order: 'o-5', cents: 90_000 }), decide('deny', { reason: 'Refunded before.' })]);
  assert.ok(readError(denied.part) instanceof ApprovalNotGranted);
  assert.match(denied.seen, /A person decided against it/);
  assert.deepEqual(ran, [{ order: 'o-4', cents: 90_000 }]);
});
