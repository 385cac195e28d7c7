import { mintToken, newAgent, type TestAgent } from '@svc/testing/agents/agent.ts';
import { activateRules } from '@svc/testing/agents/governed.ts';
import { type GovernedEnvironment, newGovernedEnvironment, type TestMode } from '@svc/testing/agents/governed-environment.ts';
import { CODE_ASSIST_ANSWER, CODE_ASSIST_MODEL } from '@svc/testing/peers/code-assist-example.ts';
import { type Downstream, startDownstream } from '@svc/testing/peers/downstream.ts';
import { startModelProvider } from '@svc/testing/peers/model-provider.ts';
import { type NameServer, startNameServer } from '@svc/testing/peers/name-server.ts';
import { startRateProvider, type TestRateProvider } from '@svc/testing/peers/rate-provider.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newTenant, stepUp, type Tenant } from '@svc/testing/people/tenant.ts';
import { type Planes, startPlanes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';
import { type ResourcesById, readNamedResource } from './reads.ts';

/** An environment in one mode, with a signed-in agent. */
export type SignedInEnvironment = GovernedEnvironment & { readonly token: string };

export type Reads = { readonly before: ResourcesById; readonly after: ResourcesById };

export type NounScene = {
  readonly planes: Planes;
  readonly tenant: Tenant;
  readonly provider: TestRateProvider;
  readonly downstream: Downstream;
  readonly nameServer: NameServer;
  /** The owner of the database. */
  readonly database: pg.Client;
  readonly places: Readonly<Record<TestMode, SignedInEnvironment>>;
  /** Resources that a request named, before and after it, by request id. */
  readonly reads: ReadonlyMap<string, Reads>;
  /** Returns a unique name. */
  readonly name: (of: string) => string;
  /** Sends a request of the owner, who has stepped up. */
  readonly send: (method: string, path: string, body?: object) => Promise<TestResponse>;
  /** Sends a request for the setup: returns its body, and throws unless it succeeds. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly make: (method: string, path: string, body?: object) => Promise<any>;
  /** Sends a request of an agent. */
  readonly ask: (token: string, method: string, path: string, body?: object) => Promise<TestResponse>;
  /** Creates another agent of the tenant. */
  readonly agent: () => Promise<TestAgent>;
  readonly stop: () => Promise<void>;
};

/** Wrong proofs of a signed-in person, of ten attempts in total. */
export const STEP_UPS_MAX = 3;

const onTool = (name: string, more: object) => ({
  id: name,
  // Also the tool of that name at the MCP server of the scene.
  when: { field: 'tool.name', op: 'in', value: [name, `mcp-server.${name}`, `a2a.${name}`, `a2a.in-${name}`] },
  reason: `${name}.`,
  ...more,
});
const RULES = [
  { id: 'fine', effect: 'ALLOW', reason: 'Fine.' },
  onTool('blocked', { effect: 'BLOCK' }),
  onTool('limited', { effect: 'LIMIT', limit: { max_calls: 100, window_seconds: 60 } }),
  onTool('masked', { effect: 'MASK', mask: { parameters: ['iban'] } }),
  onTool('held', { effect: 'REQUIRE_APPROVAL' }),
  onTool('unreachable', { effect: 'REQUIRE_APPROVAL' }),
];

/** Returns one tool for each way in which an action can end. */
const toolsFor = (downstream: Downstream): object[] => {
  const calling = (name: string, url: string) => ({
    name,
    kind: 'HTTP',
    destination_allowlist: [new URL(url).host],
    execution: { method: 'POST', url },
  });
  return [
    ...['fine', 'blocked', 'limited', 'masked'].map((name) => ({ name, kind: 'SDK' })),
    { name: 'held', kind: 'SDK', parameters_schema: { type: 'object', properties: { count: { type: 'number' } } }, narrowable: ['/count'] },
    { name: 'far', kind: 'SDK', destination_allowlist: ['api.example.com'] },
    calling('ships', downstream.url('answers')),
    calling('breaks', downstream.url('rejects')),
    calling('unreachable', 'http://nobody.invalid/'),
  ];
};

const listSenders = (planes: Planes, tenant: Tenant): Pick<NounScene, 'send' | 'make' | 'ask' | 'name' | 'reads'> => {
  const { token, controlUrl, organization_id } = tenant;
  let made = 0;
  const reads = new Map<string, Reads>();
  const look = (path: string) => readNamedResource((at) => call(controlUrl, 'GET', at, { token }), path, organization_id);
  const options = (session: string, body: object | undefined) => ({ token: session, ...(body ? { body } : {}) });
  return {
    reads,
    send: async (method, path, body) => {
      const before = await look(path);
      const answer = await call(controlUrl, method, path, options(token, body));
      reads.set(answer.headers.get('x-request-id') ?? '', { before, after: await look(path) });
      return answer;
    },
    make: (method, path, body) => mustCall(controlUrl, method, path, options(token, body)),
    ask: (agent, method, path, body) => call(planes.gatewayUrl, method, path, options(agent, body)),
    name: (of) => {
      made += 1;
      return `${of} ${made}`;
    },
  };
};

const newPlaces = async (planes: Planes, tenant: Tenant, downstream: Downstream): Promise<NounScene['places']> => {
  const open = async (mode: TestMode): Promise<SignedInEnvironment> => {
    const place = await newGovernedEnvironment(tenant, mode, toolsFor(downstream));
    return { ...place, token: await mintToken(planes.gatewayUrl, place.agent) };
  };
  return { ENFORCE: await open('ENFORCE'), OBSERVE: await open('OBSERVE'), SIMULATE: await open('SIMULATE') };
};

/** Creates one organization in which every changing operation can be tried. */
export const newScene = async (): Promise<NounScene> => {
  const [provider, downstream, nameServer] = await Promise.all([startRateProvider(), startDownstream(), startNameServer()]);
  provider.answer({ json: { error: 'closed' }, status: 500 });
  const models = await startModelProvider();
  models.answer({ text: CODE_ASSIST_ANSWER });
  const planes = await startPlanes({
    env: {
      GATEWAY_ALLOW_REAL_EGRESS: 'true',
      SVC_EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
      SVC_CREDENTIALS_OVER_HTTP: 'true',
      SVC_SAML: 'true',
      SVC_EGRESS_NAME_SERVERS: nameServer.address,
      SVC_FX_PROVIDER_URL: `${provider.origin}/latest`,
      SVC_FX_REFRESH_SECONDS: '604800',
      SVC_CODE_ASSIST: 'on',
      SVC_CODE_ASSIST_URL: `${models.origin}/v1/chat/completions`,
      SVC_CODE_ASSIST_KEY: 'a-key-of-the-provider',
      SVC_CODE_ASSIST_MODELS: CODE_ASSIST_MODEL,
      MAX_LOGIN_ATTEMPTS: '10',
    },
  });
  const tenant = await newTenant(planes);
  await stepUp(planes.controlUrl, tenant);
  const database = await planes.database.client();
  await activateRules(tenant, 'base', RULES);
  const places = await newPlaces(planes, tenant, downstream);
  const senders = listSenders(planes, tenant);
  return {
    ...senders,
    ...{ planes, tenant, provider, downstream, nameServer, database, places },
    agent: () => newAgent(tenant, { name: senders.name('Agent'), capabilities: ['work'] }),
    stop: async () => {
      await database.end();
      await Promise.all([planes.stop(), provider.close(), models.close(), downstream.close(), nameServer.close()]);
    },
  };
};
