import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type ModelReply, startModelProvider } from '@svc/testing/peers/model-provider.ts';
import { createScene } from '@svc/testing/scene/scene.ts';

const provider = await startModelProvider();
after(() => provider.close());

const s = createScene({
  env: {
    SVC_CODE_ASSIST: 'on',
    SVC_CODE_ASSIST_PROTOCOL: 'anthropic',
    SVC_CODE_ASSIST_URL: `${provider.origin}/v1/messages`,
    SVC_CODE_ASSIST_KEY: 'a-key-of-the-provider',
    SVC_CODE_ASSIST_MODELS: 'one,two',
    SVC_CODE_ASSIST_TIMEOUT_MS: '3000',
    SVC_CREDENTIALS_OVER_HTTP: 'true',
    SVC_EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
  },
});
const off = createScene();

const TYPESCRIPT = `import { Governance } from '@svc/sdk/governance.ts';
const key = '__SVC_SECRET_0a1b2c3d__';
const governance = new Governance({ key });
// pays back
export const refund = governance.guard('refund.create', pay, { request: ({ order }) => ({ parameters: { order } }) });
export const other = () => refund({ order: 1 });
`;
const PYTHON = `from svc_sdk import Governance
governance = Governance()
# pays back
refund = governance.guard("refund.create", pay, request=lambda order: {"parameters": {"order": order}})
`;
const GOOD =
  "governance.guard('refund.create', pay, { request: ({ order, cents }) => ({ parameters: { order }, amount: cents, currency: 'USD' }) })";
const GOOD_PYTHON =
  'governance.guard("refund.create", pay, request=lambda order, cents: {"parameters": {"order": order}, "amount": cents})';

const edit = (replacement: string, key = 'refund.create'): ModelReply => ({ text: JSON.stringify({ edits: [{ key, replacement }] }) });

const rewrite = (reply: ModelReply, more: object = {}) => {
  provider.answer(reply);
  const tools = [{ key: 'refund.create', line: 5, reason: 'Send the amount.' }];
  return s.send('POST', '/v1/developer/code-assist/rewrite', {
    ...{ model: 'one', language: 'typescript', file: 'src/refund.ts', source: TYPESCRIPT, tools },
    ...more,
  });
};
const python = {
  language: 'python',
  file: 'refund.py',
  source: PYTHON,
  tools: [{ key: 'refund.create', line: 4, reason: 'Send the amount.' }],
};

test('getCodeAssist states whether it is enabled, and rewriteGuardCalls is refused while it is disabled', async () => {
  const shown = (await s.send('GET', '/v1/developer/code-assist')).json;
  assert.deepEqual([shown.enabled, shown.models, shown.sent_to], [true, [{ id: 'one' }, { id: 'two' }], new URL(provider.origin).host]);
  const without = (await off.send('GET', '/v1/developer/code-assist')).json;
  assert.deepEqual([without.enabled, without.models, without.sent_to], [false, [], null]);
  const tools = [{ key: 'refund.create', line: 5, reason: 'x' }];
  const body = { model: 'one', language: 'python', file: 'x.py', source: PYTHON, tools };
  const refused = await off.send('POST', '/v1/developer/code-assist/rewrite', body);
  assert.deepEqual([refused.status, refused.json.error.code], [422, 'UNPROCESSABLE']);
});

test('a good proposal is returned as a patch that changes the guard call alone, with an event without source', async () => {
  const made = await rewrite(edit(GOOD));
  assert.equal(made.status, 200, made.text);
  const { changes, patch, refusal, proposal_id, usage, checks } = made.json;
  assert.equal(refusal, null, made.text);
  assert.deepEqual([changes[0].after, changes[0].line, usage], [GOOD, 5, { input_tokens: 7, output_tokens: 5 }]);
  assert.ok(checks.length === 7 && checks.every(({ passed }: { passed: boolean }) => passed));
  assert.match(patch, /^--- a\/src\/refund\.ts\n\+\+\+ b\/src\/refund\.ts\n@@ -2,6 \+2,6 @@\n/);
  assert.equal(patch.split('\n').filter((line: string) => /^[-+] ?[a-z]/.test(line)).length, 2);
  const [event] = await s.eventsOf(proposal_id, 'type', 'data');
  assert.equal(event?.type, 'code_assist.requested');
  assert.equal(event?.data.after.outcome, 'PROPOSED');
  assert.ok(!JSON.stringify(event).includes('governance.guard'));
  const sent = provider.calls.at(-1);
  assert.deepEqual([sent?.headers['x-api-key'], sent?.headers['anthropic-version']], ['a-key-of-the-provider', '2023-06-01']);
  const inPython = await rewrite(edit(GOOD_PYTHON), python);
  assert.deepEqual([inPython.json.refusal, inPython.json.changes?.[0]?.after], [null, GOOD_PYTHON], inPython.text);
});

const call = (options: string, fn = 'pay', key = "'refund.create'", callee = 'governance.guard') => `${callee}(${key}, ${fn}, ${options})`;
const request = (body: string) => `{ request: ({ order }) => (${body}) }`;

const HARMFUL: readonly (readonly [string, string])[] = [
  ['another key', call(request('{}'), 'pay', "'refund.other'")],
  ['another function', call(request('{}'), 'steal')],
  ['another callee', call(request('{}'), 'pay', "'refund.create'", 'other.guard')],
  ['a call', call(request("{ parameters: fetch('https://evil.example/') }"))],
  ['a call of a function of the file', call(request('{ parameters: other() }'))],
  ['an import', call(request("{ parameters: import('node:fs') }"))],
  ['a name that holds a secret', call(request('{ parameters: { key } }'))],
  ['a member access', call(request('{ parameters: { order: order.secret } }'))],
  ['a template', call(request(['{ parameters: { order: `x', '{order}` } }'].join('$')))],
  ['a spread', call(request('{ ...order }'))],
  ['a getter', call('{ get request() { return 1; } }')],
  ['a computed name', call("{ ['request']: ({ order }) => ({ parameters: { order } }) }")],
  ['an await', call('{ request: async ({ order }) => ({ parameters: { order } }) }')],
  ['a block', call('{ request: ({ order }) => { return { parameters: { order } }; } }')],
  ['a comment', call('/* approved */ {}')],
  ['a placeholder', call(request("{ parameters: { order: '__SVC_SECRET_0a1b2c3d__' } }"))],
  ['a second statement', `${GOOD}; fetch('https://evil.example/')`],
  ['a condition around the call', `false && ${GOOD}`],
  ['the end of the file in a comment', `${GOOD}; /*`],
  ['the original without its guard', 'pay'],
];

for (const [what, replacement] of HARMFUL)
  test(`a proposal with ${what} is refused and not returned`, async () => {
    const { json, status, text } = await rewrite(edit(replacement));
    assert.equal(status, 200, text);
    assert.ok(json.refusal !== null && json.changes.length === 0 && json.patch === null, text);
    assert.ok(!text.includes('evil.example'));
  });

const HARMFUL_PYTHON = [
  'governance.guard("refund.create", pay, request=lambda order: __import__("os").system("x"))',
  'governance.guard("refund.create", pay, request=lambda order: {"parameters": {"order": order.secret}})',
  'governance.guard("refund.create", pay, request=lambda order: {"parameters": f"{order}"})',
  'governance.guard("refund.create", pay, request=lambda order: {**order})',
  'governance.guard("refund.create", pay, request=(x := 1))',
  'governance.guard("refund.create", steal, request=lambda order: {})',
  'governance.guard("refund.create", pay, request=lambda order: {"key": governance})',
];
test('harmful proposals for Python are refused', async () => {
  for (const replacement of HARMFUL_PYTHON) {
    const { json, text } = await rewrite(edit(replacement), python);
    assert.ok(json.refusal !== null && json.patch === null, `${replacement}: ${text}`);
  }
});

test('malformed, truncated, too long, redirected and failed responses are refused', async () => {
  const code = async (reply: ModelReply) => {
    const { status, json } = await rewrite(reply);
    return status === 200 ? json.refusal?.code : json.error.code;
  };
  assert.equal(await code({ text: 'Sure! Here is the code.' }), 'ANSWER');
  assert.equal(await code({ text: JSON.stringify({ edits: [{ key: 'refund.create', replacement: GOOD }], file: 'x' }) }), 'ANSWER');
  assert.equal(await code(edit(GOOD, 'other.key')), 'ANSWER');
  assert.equal(await code({ text: JSON.stringify({ edits: [{ key: 'refund.create', replacement: GOOD }] }), cut: true }), 'ANSWER');
  assert.equal(await code({ text: 'x'.repeat(300_000) }), 'ANSWER');
  assert.equal(await code({ status: 429, headers: { 'retry-after': '9' }, raw: '{}' }), 'DEPENDENCY_UNAVAILABLE');
  assert.equal(await code({ status: 302, headers: { location: 'http://127.0.0.1:1/' }, raw: '' }), 'DEPENDENCY_UNAVAILABLE');
  assert.equal(await code('hangs'), 'DEPENDENCY_UNAVAILABLE');
});

test('a source with a secret, invisible characters, a syntax error or no matching call is never sent', async () => {
  const before = provider.calls.length;
  const fault = async (more: object) => (await rewrite(edit(GOOD), more)).json.error?.details?.faults?.[0]?.pointer;
  const secret = ['sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_');
  assert.equal(await fault({ source: TYPESCRIPT.replace('__SVC_SECRET_0a1b2c3d__', secret) }), '/source');
  assert.equal(await fault({ source: TYPESCRIPT.replace('pays', 'pays \u202e') }), '/source');
  assert.equal(await fault({ source: `${TYPESCRIPT}const = 1;` }), '/source');
  assert.equal(await fault({ model: 'three' }), '/model');
  assert.equal(await fault({ tools: [{ key: 'refund.create', line: 40, reason: 'x' }] }), '/tools/0');
  assert.equal(await fault({ source: TYPESCRIPT.replace("'@svc/sdk/governance.ts'", "'./governance.ts'") }), '/tools/0');
  assert.equal(provider.calls.length, before);
});
