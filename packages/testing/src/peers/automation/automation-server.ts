import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// biome-ignore lint/suspicious/noExplicitAny: answers of a product, as they were recorded
type Json = any;

const recorded = (name: string): { readonly status: number; readonly body: Json } =>
  JSON.parse(readFileSync(new URL(`recorded/${name}.json`, import.meta.url), 'utf8'));

/** A workflow as the instance returns it. */
export type AutomationWorkflow = Record<string, Json> & { id: string; name: string; active: boolean };

/** An instance of workflow automation on this machine. It responds like a recorded n8n 2.41.1, keeps changes, and can be made to lie. */
export type AutomationServer = {
  readonly url: string;
  readonly key: string;
  /** Method and path of each request with the key, in order. */
  readonly requests: { readonly method: string; readonly path: string; readonly at: number; readonly key: string | undefined }[];
  workflows: AutomationWorkflow[];
  scopes: string[];
  excluded: string[];
  /** Node types that it loads; all if it is empty. */
  included: string[];
  /** HTTP nodes can only reach the gateway. */
  blocksEgress: boolean;
  /** Accepts the deactivation of workflows without doing it. */
  ignoresDeactivation: boolean;
  /** Runs node types that it states as excluded. */
  runsExcluded: boolean;
  /** Executions, newest last. Those of webhooks are added. */
  readonly executions: Json[];
  /** Changes the body of an answer to a request with the key, as an instance that lies does. */
  rewrite: (method: string, path: string, body: Json) => Json;
  /** Answers the next requests with this status. */
  readonly failNext: (status: number, count: number) => void;
  /** Called before each request is answered. */
  onRequest: (method: string, path: string) => void | Promise<void>;
  readonly close: () => Promise<void>;
};

const READ_SCOPES: readonly string[] = recorded('discover').body.data.scopes;
const OPERATE_SCOPES = ['workflow:activate', 'workflow:deactivate', 'execution:stop', 'workflow:create', 'workflow:delete'];

/** Scopes of a key that may also operate the instance. */
export const OPERATING_SCOPES: readonly string[] = [...READ_SCOPES, ...OPERATE_SCOPES];

/** The workflows of the recorded page. */
export const getRecordedWorkflows = (): AutomationWorkflow[] => recorded('workflows').body.data;

/** Returns a workflow with these nodes, connected in sequence. */
export const newWorkflow = (id: string, nodes: readonly Record<string, Json>[], more: Record<string, Json> = {}): AutomationWorkflow => {
  const named: Record<string, Json>[] = nodes.map((node, at) => ({
    id: `${id}-${at + 1}`,
    name: `Node ${at + 1}`,
    typeVersion: 1,
    parameters: {},
    ...node,
  }));
  const pairs = named.slice(0, -1).map((node, at) => [node.name, { main: [[{ node: named[at + 1]?.name, type: 'main', index: 0 }]] }]);
  return {
    ...{ id, name: `Workflow ${id}`, active: true, isArchived: false, versionId: `version-of-${id}`, activeVersionId: `version-of-${id}` },
    ...{ nodes: named, connections: Object.fromEntries(pairs), settings: { executionOrder: 'v1' }, pinData: null, ...more },
  };
};

const readBody = async (request: IncomingMessage): Promise<Json> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? {} : JSON.parse(text);
};

type Answer = { readonly status: number; readonly body: Json };
const ok = (body: Json): Answer => ({ status: 200, body });
const NOT_FOUND: Answer = { status: 404, body: { message: 'Not Found' } };

const getPage = (rows: readonly Json[], url: URL): Answer => {
  const limit = Number(url.searchParams.get('limit') ?? 100);
  const cursor = url.searchParams.get('cursor');
  const { offset = 0 } = cursor === null ? {} : JSON.parse(Buffer.from(cursor, 'base64').toString());
  const next = offset + limit;
  const nextCursor = next < rows.length ? Buffer.from(JSON.stringify({ limit, offset: next })).toString('base64') : null;
  return ok({ data: rows.slice(offset, next), nextCursor });
};

const typesText = (types: readonly string[]): string => (types.length === 0 ? 'none' : types.join(', '));

const getAudit = ({ excluded, included }: AutomationServer): Json => {
  const { body } = recorded('audit');
  for (const { settings } of body['Instance Risk Report'].sections) {
    if (!settings) continue;
    Object.assign(settings.nodes, { nodesExclude: typesText(excluded), nodesInclude: typesText(included) });
    // An instance with an allow-list is deployed with the bundle.
    settings.features.communityPackagesEnabled = included.length === 0;
  }
  return body;
};

type State = {
  readonly server: AutomationServer;
  failures: { status: number; left: number } | undefined;
  made: number;
  deletions: number;
};

/** Runs the active workflow of a webhook. */
const runWebhook = ({ server }: State, path: string): Answer => {
  const workflow = server.workflows.find(({ active, nodes }) => active && nodes.some((node: Json) => node.parameters?.path === path));
  if (!workflow) return NOT_FOUND;
  const isBlocked = server.blocksEgress && workflow.nodes.some((node: Json) => node.type === 'n8n-nodes-base.httpRequest');
  const message = 'The address resolves to a restricted IP address';
  server.executions.push({
    id: String(server.executions.length + 1),
    ...{ workflowId: workflow.id, mode: 'webhook', startedAt: new Date().toISOString() },
    status: isBlocked ? 'error' : 'success',
    data: isBlocked ? { error: { message } } : {},
  });
  return isBlocked ? { status: 500, body: { message: 'Error in workflow' } } : ok({ done: true });
};

/** Answers a request for one workflow. */
const onWorkflow = (state: State, method: string, id: string, word: string | undefined): Answer => {
  const { server } = state;
  const workflow = server.workflows.find((each) => each.id === id);
  if (!workflow) return NOT_FOUND;
  if (method === 'GET') return ok(workflow);
  if (method === 'DELETE') {
    state.deletions += 1;
    // The first request after archiving is too early, as with the real product.
    if (state.deletions % 2 === 1) return recorded('still-unpublishing');
    server.workflows = server.workflows.filter((each) => each !== workflow);
    return ok(workflow);
  }
  const isLoaded = ({ type }: Json) => !server.excluded.includes(type) && (server.included.length === 0 || server.included.includes(type));
  const unknown = workflow.nodes.find((node: Json) => !isLoaded(node));
  if (word === 'activate' && unknown && !server.runsExcluded)
    return { ...recorded('unknown-type'), body: { message: `Unrecognized node type: ${unknown.type}` } };
  if (word === 'activate') workflow.active = true;
  if (word === 'deactivate' && !server.ignoresDeactivation) workflow.active = false;
  if (word === 'archive') workflow.isArchived = true;
  return ok(workflow);
};

const onExecutions = ({ executions }: AutomationServer, id: string | undefined, { searchParams }: URL): Answer => {
  const stopped = executions.find((each) => each.id === id);
  if (stopped) return ok(Object.assign(stopped, { status: 'canceled' }));
  const isWanted = (each: Json, name: string) => !searchParams.has(name) || String(each[name]) === searchParams.get(name);
  const data = executions.filter((each) => isWanted(each, 'workflowId') && isWanted(each, 'status')).toReversed();
  // Their data is returned only if it is requested.
  const isWhole = searchParams.get('includeData') === 'true';
  return ok({ data: isWhole ? data : data.map(({ data: _, workflowData: __, ...each }) => each), nextCursor: null });
};

const onApi = (state: State, method: string, url: URL, body: Json): Answer => {
  const { server } = state;
  const [, , , noun, id, word] = url.pathname.split('/');
  if (noun === 'discover') return ok({ data: { ...recorded('discover').body.data, scopes: server.scopes } });
  if (noun === 'audit') return ok(getAudit(server));
  if (noun === 'users' || noun === 'credentials') return recorded(noun);
  if (noun === 'executions') return onExecutions(server, id, url);
  if (noun !== 'workflows') return NOT_FOUND;
  if (id !== undefined) return onWorkflow(state, method, decodeURIComponent(id), word);
  if (method === 'POST') {
    state.made += 1;
    const workflow = {
      ...body,
      id: `made-${state.made}`,
      active: false,
      isArchived: false,
      versionId: `made-${state.made}`,
      activeVersionId: null,
    };
    server.workflows.push(workflow);
    return ok(workflow);
  }
  const active = url.searchParams.get('active');
  const name = url.searchParams.get('name');
  return getPage(
    server.workflows.filter((each) => (active === null || String(each.active) === active) && (name === null || each.name === name)),
    url,
  );
};

const answerRequest = async (state: State, request: IncomingMessage): Promise<Answer> => {
  const { server } = state;
  const url = new URL(request.url ?? '/', 'http://instance');
  const method = request.method ?? 'GET';
  const given = request.headers['x-n8n-api-key'];
  server.requests.push({ method, path: url.pathname + url.search, at: Date.now(), key: typeof given === 'string' ? given : undefined });
  await server.onRequest(method, url.pathname);
  const body = await readBody(request);
  if (state.failures && state.failures.left > 0) {
    state.failures.left -= 1;
    return { status: state.failures.status, body: { message: 'Busy' } };
  }
  if (url.pathname === '/healthz/readiness') return ok({ status: 'ok' });
  if (url.pathname.startsWith('/webhook/')) return runWebhook(state, url.pathname.slice('/webhook/'.length));
  if (given !== server.key) return recorded('unauthorized');
  const answer = onApi(state, method, url, body);
  return { ...answer, body: server.rewrite(method, url.pathname, answer.body) };
};

/** Starts an instance that accepts one API key. */
export const startAutomationServer = async (key = 'an-api-key-of-the-instance'): Promise<AutomationServer> => {
  const http = createServer((request, response: ServerResponse) => {
    answerRequest(state, request).then(
      ({ status, body }) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const server: AutomationServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    key,
    requests: [],
    workflows: [],
    scopes: [...READ_SCOPES],
    excluded: ['n8n-nodes-base.executeCommand', 'n8n-nodes-base.localFileTrigger'],
    included: [],
    blocksEgress: false,
    ignoresDeactivation: false,
    runsExcluded: false,
    executions: [],
    rewrite: (_method, _path, body) => body,
    failNext: (status, count) => {
      state.failures = { status, left: count };
    },
    onRequest: () => undefined,
    close: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
  const state: State = { server, failures: undefined, made: 0, deletions: 0 };
  return server;
};
