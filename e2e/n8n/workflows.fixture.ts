import type { FindingSeverity } from '@svc/contract/runtimes/runtimes/vocabulary.ts';

// biome-ignore lint/suspicious/noExplicitAny: nodes of a product
type Json = any;
export type WorkflowBody = { readonly name: string; nodes: Json[]; readonly connections: Json; readonly settings: Json };
/** A workflow that goes around the service: the node at which it does, and the severity that it must be found with. */
export type Bypass = { readonly body: WorkflowBody; readonly node: string; readonly atLeast: FindingSeverity; readonly publish?: true };

export type Addresses = { readonly gateway: string; readonly instance: string };

const BASE = 'n8n-nodes-base.';
const CHAIN = '@n8n/n8n-nodes-langchain.';
const SERVICE = 'https://api.payments.example';

/** Returns a workflow whose nodes are connected one after the other. */
const chain = (name: string, ...nodes: Json[]): WorkflowBody => {
  const named = nodes.map((node, at) => ({
    ...{ id: `node-${at + 1}`, name: `Node ${at + 1}`, typeVersion: 1, position: [220 * at, 0], parameters: {} },
    ...node,
  }));
  const pairs = named.slice(0, -1).map((node, at) => [node.name, { main: [[{ node: named[at + 1].name, type: 'main', index: 0 }]] }]);
  return { name, nodes: named, connections: Object.fromEntries(pairs), settings: { executionOrder: 'v1' } };
};

const MANUAL = { type: `${BASE}manualTrigger` };
const webhook = (path: string, parameters: object = {}): Json => ({
  ...{ type: `${BASE}webhook`, typeVersion: 2, webhookId: path },
  parameters: { path, httpMethod: 'POST', options: {}, ...parameters },
});
const node = (type: string, parameters: object = {}, more: object = {}): Json => ({ type, parameters, ...more });
const http = (url: string, options: object = {}): Json => node(`${BASE}httpRequest`, { url, options }, { typeVersion: 4.2 });
const code = (jsCode: string): Json => node(`${BASE}code`, { jsCode }, { typeVersion: 2 });
const governed = (more: object = {}): Json => ({
  ...node('n8n-nodes-svc-governance.svcAction', { operation: 'act', tool: 'pay', parameters: '{}' }),
  ...more,
});

/** An agent with one tool behind a trigger. */
const agentWith = (name: string, trigger: Json, tool: Json): WorkflowBody => {
  const body = chain(name, trigger, { type: `${CHAIN}agent`, typeVersion: 1.7, parameters: { options: {} } });
  body.nodes.push({ id: 'tool', name: 'Tool', typeVersion: 1, position: [0, 200], parameters: {}, ...tool });
  body.connections.Tool = { ai_tool: [[{ node: 'Node 2', type: 'ai_tool', index: 0 }]] };
  return body;
};

const second = (name: string, atLeast: FindingSeverity, ...nodes: Json[]): Bypass => ({
  body: chain(name, MANUAL, ...nodes),
  node: 'Node 2',
  atLeast,
});

/** Workflows that go around the service. Drafts are dormant, so that their severity is one lower. */
export const bypasses = ({ gateway, instance }: Addresses): readonly Bypass[] => [
  second('application node', 'MEDIUM', node(`${BASE}slack`, { text: 'hello' }, { typeVersion: 2.2 })),
  second('constant host', 'MEDIUM', http(`${SERVICE}/charges`)),
  second('host by expression', 'MEDIUM', http('={{ $json.url }}')),
  second('host partly by expression', 'MEDIUM', http('=https://{{ $json.host }}.payments.example/charges')),
  second('host that begins as the gateway', 'MEDIUM', http(`${gateway}.payments.example/charges`)),
  second('gateway as a user name', 'MEDIUM', http(`https://${new URL(gateway).hostname}@payments.example/`)),
  second('GraphQL', 'MEDIUM', node(`${BASE}graphql`, { endpoint: `${SERVICE}/graphql`, query: '{ a }' })),
  second('feed', 'MEDIUM', node(`${BASE}rssFeedRead`, { url: `${SERVICE}/feed` }, { typeVersion: 1.1 })),
  second('cache', 'MEDIUM', node(`${BASE}redis`, { operation: 'info' })),
  second('database', 'MEDIUM', node(`${BASE}postgres`, { operation: 'executeQuery', query: 'select 1' }, { typeVersion: 2.5 })),
  second('mail', 'MEDIUM', node(`${BASE}emailSend`, { toEmail: 'a@b.example' }, { typeVersion: 2.1 })),
  second('file transfer', 'MEDIUM', node(`${BASE}ftp`, { operation: 'list', path: '/' })),
  second('queue', 'MEDIUM', node(`${BASE}mqtt`, { topic: 'a' })),
  second('directory', 'MEDIUM', node(`${BASE}ldap`, {})),
  second('command of the host', 'MEDIUM', node(`${BASE}executeCommand`, { command: 'id' })),
  second('command of another host', 'MEDIUM', node(`${BASE}ssh`, { command: 'id' })),
  second('file of the host', 'MEDIUM', node(`${BASE}readWriteFile`, { fileSelector: '/etc/passwd' })),
  second('repository', 'MEDIUM', node(`${BASE}git`, { operation: 'clone', sourceRepository: `${SERVICE}/a.git` })),
  second('code that calls', 'MEDIUM', code(`return [await this.helpers.httpRequest({ url: '${SERVICE}' })]`)),
  second('code that decodes', 'MEDIUM', code("const f = globalThis['fe' + 'tch']; return f(atob('aHR0cHM6Ly9h'))")),
  second('code', 'LOW', code('return items')),
  second('proxy', 'MEDIUM', http(`${gateway}/gateway/v1/actions`, { proxy: `${SERVICE}:3128` })),
  second('certificate not checked', 'MEDIUM', http(`${gateway}/gateway/v1/actions`, { allowUnauthorizedCerts: true })),
  second('community node', 'MEDIUM', node('n8n-nodes-anything.send', {})),
  second('unknown node', 'MEDIUM', node(`${BASE}thisNodeDoesNotExist`, {})),
  second('node that looks like ours', 'MEDIUM', node('n8n-nodes-svc-govemance.svcAction', {})),
  second('its own management', 'MEDIUM', node(`${BASE}n8n`, { resource: 'workflow', operation: 'getAll' })),
  second('its own management by HTTP', 'MEDIUM', http(`${instance}/api/v1/workflows`)),
  second(
    'secret in a parameter',
    'HIGH',
    node(`${BASE}set`, { values: { string: [{ name: 'token', value: `sk_live_${'4eC39HqLyjWDarjtT1zdp7dc'}` }] } }),
  ),
  second('environment', 'MEDIUM', node(`${BASE}set`, { values: { string: [{ name: 'a', value: '={{ $env.SECRET }}' }] } })),
  second('refusal that goes on', 'LOW', governed({ onError: 'continueRegularOutput' })),
  second('called by expression', 'MEDIUM', node(`${BASE}executeWorkflow`, { workflowId: '={{ $json.id }}' })),
  {
    body: agentWith('HTTP tool of a model', webhook('agent-http'), {
      type: `${BASE}httpRequestTool`,
      typeVersion: 4.2,
      parameters: { url: "={{ $fromAI('url') }}" },
    }),
    node: 'Tool',
    atLeast: 'MEDIUM',
  },
  {
    body: agentWith('code tool of a model', MANUAL, { type: `${CHAIN}toolCode`, parameters: { jsCode: 'return 1' } }),
    node: 'Tool',
    atLeast: 'MEDIUM',
  },
  {
    body: agentWith('application tool of a model', MANUAL, { type: `${BASE}slackTool`, typeVersion: 2.2 }),
    node: 'Tool',
    atLeast: 'MEDIUM',
  },
  { body: chain('open webhook', webhook('open'), node(`${BASE}noOp`)), node: 'Node 1', atLeast: 'HIGH', publish: true },
  {
    body: chain('webhook that is open in words', webhook('open-2', { authentication: 'none' }), node(`${BASE}if`, {}, { typeVersion: 2 })),
    node: 'Node 1',
    atLeast: 'LOW',
  },
  { body: chain('published call', webhook('open-3'), http(`${SERVICE}/charges`)), node: 'Node 2', atLeast: 'HIGH', publish: true },
  {
    body: chain(
      'open form',
      node(
        `${BASE}formTrigger`,
        { formTitle: 'a', formFields: { values: [{ fieldLabel: 'a' }] } },
        { typeVersion: 2.2, webhookId: 'form' },
      ),
      node(`${BASE}noOp`),
    ),
    node: 'Node 1',
    atLeast: 'LOW',
  },
  { body: chain('open MCP trigger', node(`${CHAIN}mcpTrigger`, { path: 'mcp' }, { webhookId: 'mcp' })), node: 'Node 1', atLeast: 'LOW' },
  {
    body: chain('open resume', MANUAL, node(`${BASE}wait`, { resume: 'webhook' }, { typeVersion: 1.1, webhookId: 'wait' })),
    node: 'Node 2',
    atLeast: 'LOW',
  },
];

/** Workflows that look suspicious and go through the gateway, or nowhere. */
export const cleanOnes = ({ gateway }: Addresses): readonly WorkflowBody[] => [
  chain('governed action', MANUAL, governed(), node(`${BASE}noOp`)),
  chain('gateway by HTTP', MANUAL, http(`${gateway}/gateway/v1/actions`)),
  chain('gateway with a path by expression', MANUAL, http(`=${gateway}/gateway/v1/actions/{{ $json.id }}`)),
  chain('webhook that checks a header', webhook('header', { authentication: 'headerAuth' }), node(`${BASE}noOp`)),
  chain('webhook that checks a token', webhook('token', { authentication: 'jwtAuth' }), governed()),
  chain(
    'words about the environment',
    MANUAL,
    node(`${BASE}set`, { values: { string: [{ name: 'a', value: 'the word $env in a sentence' }] } }),
  ),
  chain('address in a note', MANUAL, node(`${BASE}stickyNote`, { content: `see ${SERVICE}` })),
  chain('address as data', MANUAL, node(`${BASE}set`, { values: { string: [{ name: 'url', value: SERVICE }] } })),
  chain('disabled call', MANUAL, { ...http(`${SERVICE}/charges`), disabled: true }),
  chain('branches', MANUAL, node(`${BASE}if`, {}, { typeVersion: 2 }), node(`${BASE}switch`, {}, { typeVersion: 3 })),
  chain(
    'a time',
    node(`${BASE}scheduleTrigger`, {}, { typeVersion: 1.2 }),
    node(`${BASE}wait`, { amount: 1 }, { typeVersion: 1.1, webhookId: 'w' }),
    governed(),
  ),
  chain('public identifier', MANUAL, node(`${BASE}set`, { values: { string: [{ name: 'id', value: 'pk_test_identifier' }] } })),
  agentWith('model with a governed tool', MANUAL, {
    type: 'n8n-nodes-svc-governance.svcActionTool',
    parameters: { operation: 'act', tool: 'pay' },
  }),
];
