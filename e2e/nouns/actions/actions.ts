import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy } from '@svc/contract/rows/endpoint.ts';
import type { TestMode } from '@svc/testing/agents/governed-environment.ts';
import { newCredential } from '@svc/testing/agents/new-credential.ts';
import { call, type TestResponse } from '@svc/testing/people/client.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import type { NounTests } from '../noun-tests.ts';
import { actOnA2aTool } from '../peers/a2a.ts';
import { actOnMcpTool } from '../peers/mcp.ts';
import type { EventKey, Play } from '../scene/play.ts';
import type { NounScene } from '../scene/scene.ts';
import { ownColumns } from '../scope-sql.ts';

type Evaluated = EmittedBy<Endpoints['evaluateAction']>;

type Way = {
  readonly mode: TestMode;
  readonly body: { readonly tool: string; readonly parameters?: object; readonly destination?: string };
  readonly leaves: Evaluated;
};

const WAYS: readonly Way[] = [
  { mode: 'ENFORCE', body: { tool: 'fine' }, leaves: 'action.allowed' },
  { mode: 'ENFORCE', body: { tool: 'blocked' }, leaves: 'action.blocked' },
  { mode: 'ENFORCE', body: { tool: 'limited' }, leaves: 'action.limited' },
  { mode: 'ENFORCE', body: { tool: 'masked', parameters: { iban: 'x' } }, leaves: 'action.masked' },
  { mode: 'ENFORCE', body: { tool: 'held' }, leaves: 'action.approval_required' },
  { mode: 'ENFORCE', body: { tool: 'far', destination: 'evil.example.com' }, leaves: 'security.destination_blocked' },
  { mode: 'OBSERVE', body: { tool: 'fine' }, leaves: 'action.observed' },
  { mode: 'SIMULATE', body: { tool: 'fine' }, leaves: 'action.simulated' },
];

/** Converts an AuthZEN decision to the shape of `evaluateAction`. */
const accessDecisionIn = (answer: TestResponse): TestResponse => {
  const { context } = answer.json.evaluations?.[0] ?? answer.json;
  return { ...answer, json: context };
};

const playAccess = async (scene: NounScene, path: string, bodyOf: (evaluation: object) => object) => {
  const by = { type: 'USER', id: scene.tenant.user.id };
  const plays = await everyWay(scene, async ({ mode, body: { tool, parameters, destination } }) => {
    const evaluation = {
      subject: { type: 'agent', id: scene.places[mode].agent.id },
      action: { name: 'call' },
      resource: { type: 'tool', id: tool, ...(parameters ? { properties: parameters } : {}) },
      context: { accepts: ['mask'], ...(destination ? { destination } : {}) },
    };
    return accessDecisionIn(await scene.send('POST', path, bodyOf(evaluation)));
  });
  return plays.map((play) => ({ ...play, by }));
};

/** Returns the decision in a response. */
const decisionIn = ({ json }: TestResponse) => json.error?.details?.decision ?? json;

const listEvents = (answer: TestResponse, leaves: Evaluated): EventKey<Evaluated>[] => {
  const { action_id } = decisionIn(answer);
  const about = ['action', action_id] as const;
  const approvalId = answer.json.error?.details?.approval_id ?? answer.json.approval?.approval_id;
  if (leaves === 'action.approval_required')
    return [
      ['action.requested', ...about],
      [leaves, ...about],
      ['approval.requested', 'approval', approvalId],
    ];
  if (leaves === 'security.destination_blocked')
    return [
      ['action.requested', ...about],
      ['action.blocked', ...about],
      [leaves, ...about],
    ];
  return [
    ['action.requested', ...about],
    [leaves, ...about],
  ];
};

/** Sends a request in every way that it can end, in sequence. */
const everyWay = async (scene: NounScene, go: (way: Way) => Promise<TestResponse>): Promise<Play<Evaluated>[]> => {
  const plays: Play<Evaluated>[] = [];
  for (const way of WAYS) {
    const answer = await go(way);
    const { agent } = scene.places[way.mode];
    plays.push({ answer, by: { type: 'AGENT', id: agent.id }, events: listEvents(answer, way.leaves) });
  }
  return plays;
};

const actAs = ({ ask, places }: NounScene, body: object, mode: TestMode = 'ENFORCE'): Promise<TestResponse> =>
  ask(places[mode].token, 'POST', '/gateway/v1/actions', body);

let orders = 0;

const executed = async (
  scene: NounScene,
  tool: string,
  leased: readonly 'credential.issued'[] = [],
): Promise<Play<EmittedBy<Endpoints['act']>>> => {
  orders += 1;
  const answer = await actAs(scene, { tool, parameters: { order: `order-${orders}` } });
  const about = ['action', decisionIn(answer).action_id] as const;
  const ended = tool === 'breaks' ? 'action.failed' : 'action.completed';
  const events = [
    ['action.requested', ...about],
    ['action.allowed', ...about],
    ...leased.map((type) => [type, ...about] as const),
    [ended, ...about],
  ] as const;
  return { answer, by: { type: 'AGENT', id: scene.places.ENFORCE.agent.id }, events };
};

/** Creates a tool of the environment that calls with a credential. */
const toolWithCredential = async ({ tenant, places, downstream, make, name }: NounScene): Promise<string> => {
  const { environment_id, agent } = places.ENFORCE;
  const url = downstream.url('answers');
  const [tool, destinations] = [`proves-${name('tool').replace(' ', '-')}`, [new URL(url).host]];
  const { credentialId } = await newCredential({ ...tenant, environment_id }, { destinations, tools: [tool] });
  const { id } = await make('POST', '/v1/tools', {
    ...{ name: tool, environment_id, required_capability: 'work', kind: 'HTTP', destination_allowlist: destinations },
    execution: { method: 'POST', url, credential_id: credentialId },
  });
  await make('POST', `/v1/tools/${id}/agents`, { agent_id: agent.id });
  return tool;
};

/** Creates an approved action whose call is never sent, so that its approval is usable again. */
const unsent = async (scene: NounScene): Promise<Play<EmittedBy<Endpoints['act']>>> => {
  const { approval_id } = (await actAs(scene, { tool: 'unreachable' })).json.error.details;
  const approver = await insertPerson(scene.database, scene.tenant.organization_id, 'approver');
  await call(scene.planes.controlUrl, 'POST', `/v1/approvals/${approval_id}/approve`, { token: approver.token, body: {} });
  const answer = await actAs(scene, { tool: 'unreachable', approval_id });
  const about = ['action', decisionIn(answer).action_id] as const;
  const events = [
    ['action.allowed', ...about],
    ['action.failed', ...about],
    ['approval.restored', 'approval', approval_id],
  ] as const;
  return { answer, by: { type: 'AGENT', id: scene.places.ENFORCE.agent.id }, events };
};

/** Decides a request at a proxy in each way. Its tools have a route with their name as the path. */
const playProxied = async (scene: NounScene): Promise<Play<EmittedBy<Endpoints['authorizeProxiedRequest']>>[]> => {
  const ways = WAYS.filter(({ leaves }) => leaves !== 'security.destination_blocked');
  const plays: Play<EmittedBy<Endpoints['authorizeProxiedRequest']>>[] = [];
  for (const { mode, body, leaves } of ways) {
    const { agent, environment_id, token } = scene.places[mode];
    const { rows } = await scene.database.query('select id from tools where environment_id = $1 and name = $2', [
      environment_id,
      body.tool,
    ]);
    const routes = [{ mapping: 'played', method: 'GET', path: `/${body.tool}` }];
    await scene.make('PUT', `/v1/tools/${rows[0].id}/routes`, { routes, reason: 'test' });
    const answer = await scene.ask(token, 'GET', `/gateway/v1/ext-authz/played/${body.tool}`);
    const decided = { ...answer, json: answer.json.context ?? answer.json };
    plays.push({
      answer: decided,
      by: { type: 'AGENT', id: agent.id },
      events: listEvents(decided, leaves) as EventKey<EmittedBy<Endpoints['authorizeProxiedRequest']>>[],
    });
  }
  return plays;
};

const accessBody = (agentId: string, toolId: string) => ({
  subject: { type: 'agent', id: agentId },
  action: { name: 'call' },
  resource: { type: 'tool', id: toolId },
});

export const actionTests = {
  scopes: { action: ownColumns('actions') },
  bodies: ({ agent, resources }) => ({
    evaluateAction: { agent_id: agent.id, tool: resources.toolId ?? '' },
    evaluateAccess: accessBody(agent.id, resources.toolId),
    evaluateAccessBatch: { evaluations: [accessBody(agent.id, resources.toolId)] },
    searchAccessSubjects: { ...accessBody(agent.id, resources.toolId), subject: { type: 'agent' } },
    searchAccessResources: { ...accessBody(agent.id, resources.toolId), resource: { type: 'tool' } },
    searchAccessActions: accessBody(agent.id, resources.toolId),
    act: { tool: 'x' },
    authorizeProxiedRequest: {},
    reportOutcome: { status: 'COMPLETED' },
  }),
  recipes: {
    act: async (scene) => [
      ...(await everyWay(scene, ({ mode, body }) => actAs(scene, body, mode))),
      await executed(scene, 'ships'),
      await executed(scene, 'breaks'),
      await unsent(scene),
      await executed(scene, await toolWithCredential(scene), ['credential.issued']),
      await actOnMcpTool(scene),
      ...(await actOnA2aTool(scene)),
    ],
    authorizeProxiedRequest: playProxied,
    evaluateAction: async (scene) => {
      const by = { type: 'USER', id: scene.tenant.user.id };
      const plays = await everyWay(scene, ({ mode, body }) =>
        scene.send('POST', '/v1/actions/evaluate', { agent_id: scene.places[mode].agent.id, ...body }),
      );
      return plays.map((play) => ({ ...play, by }));
    },
    evaluateAccess: (scene) => playAccess(scene, '/access/v1/evaluation', (evaluation) => evaluation),
    evaluateAccessBatch: (scene) => playAccess(scene, '/access/v1/evaluations', (evaluation) => ({ evaluations: [evaluation] })),
    reportOutcome: async (scene) => {
      const report = async (status: string): Promise<readonly [string, TestResponse]> => {
        const { action_id } = (await actAs(scene, { tool: 'fine' })).json;
        const path = `/gateway/v1/actions/${action_id}/outcome`;
        return [action_id, await scene.ask(scene.places.ENFORCE.token, 'POST', path, { status })];
      };
      const by = { type: 'AGENT', id: scene.places.ENFORCE.agent.id };
      const [[done, completed], [undone, failed]] = [await report('COMPLETED'), await report('FAILED')];
      return [
        { answer: completed, by, events: [['action.completed', 'action', done]] },
        { answer: failed, by, events: [['action.failed', 'action', undone]] },
      ];
    },
  },
} as const satisfies NounTests;
