import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy } from '@svc/contract/rows/endpoint.ts';
import { newA2aMessage } from '@svc/testing/agents/a2a-scene.ts';
import type { TestMode } from '@svc/testing/agents/governed-environment.ts';
import { mintPeerToken } from '@svc/testing/agents/inbound-scene.ts';
import { newCredential } from '@svc/testing/agents/new-credential.ts';
import { type A2aAgent, startA2aAgent } from '@svc/testing/peers/a2a-agent.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import type { NounTests } from '../noun-tests.ts';
import type { EventKey, Play } from '../scene/play.ts';
import type { NounScene } from '../scene/scene.ts';
import { ownColumns } from '../scope-sql.ts';

type Called = EmittedBy<Endpoints['callA2aConnection']>;

const reason = 'test';
const CARD_URL = 'https://agent.example.com/.well-known/agent-card.json';
const KEY = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };

type Place = { readonly id: string; readonly tool_id: string; readonly remote: A2aAgent; readonly mode: TestMode };

/** Registers and verifies a connection that the agent of an environment may use. Rules of the scene refer to its name. */
const newPlace = async (
  { make, places }: NounScene,
  mode: TestMode,
  name: string,
  more: object = {},
  offersPushes = false,
): Promise<Place> => {
  const { environment_id, agent } = places[mode];
  const remote = await startA2aAgent();
  remote.offersPushes = offersPushes;
  const body = { name, environment_id, card_url: remote.cardUrl, keys: [remote.key.jwk], ...more };
  const { id, tool_id, required_capability } = await make('POST', '/v1/a2a/connections', body);
  await make('POST', `/v1/agents/${agent.id}/capabilities`, { capability: required_capability });
  await make('POST', `/v1/tools/${tool_id}/agents`, { agent_id: agent.id });
  await make('POST', `/v1/a2a/connections/${id}/verify`, {});
  return { id, tool_id, remote, mode };
};

const say = ({ planes, places }: NounScene, { id, mode }: Place, message: object = newA2aMessage('hello')): Promise<TestResponse> =>
  call(planes.gatewayUrl, 'POST', `/gateway/v1/a2a/${id}`, {
    token: places[mode].token,
    headers: { 'a2a-version': '1.0' },
    body: { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } },
  });

/** Returns the newest action of the agent of an environment. */
const newestAction = async ({ make, places }: NounScene, mode: TestMode): Promise<{ id: string; approval_id?: string }> => {
  const { data } = await make('GET', `/v1/actions?agent_id=${places[mode].agent.id}&limit=1`);
  return { id: data[0].action_id ?? data[0].id, approval_id: data[0].approval_id };
};

const newPlay = async (scene: NounScene, mode: TestMode, answer: TestResponse, types: readonly Called[]): Promise<Play<Called>> => {
  const { id } = await newestAction(scene, mode);
  const approvalId = answer.json.error?.data?.[0]?.metadata?.approval_id;
  const events = types.map(
    (type): EventKey<Called> => (type.startsWith('approval.') ? [type, 'approval', approvalId] : [type, 'action', id]),
  );
  return { answer, by: { type: 'AGENT', id: scene.places[mode].agent.id }, events };
};

const WAYS: readonly { readonly mode: TestMode; readonly name: string; readonly leaves: readonly Called[] }[] = [
  { mode: 'ENFORCE', name: 'fine', leaves: ['action.allowed', 'action.completed', 'a2a.interaction_allowed'] },
  { mode: 'ENFORCE', name: 'breaks', leaves: ['action.allowed', 'action.failed', 'a2a.interaction_allowed'] },
  { mode: 'ENFORCE', name: 'blocked', leaves: ['action.blocked', 'a2a.interaction_blocked'] },
  { mode: 'ENFORCE', name: 'limited', leaves: ['action.limited', 'action.completed', 'a2a.interaction_allowed'] },
  { mode: 'ENFORCE', name: 'masked', leaves: ['action.masked', 'action.completed', 'a2a.interaction_allowed'] },
  { mode: 'ENFORCE', name: 'far', leaves: ['action.blocked', 'a2a.interaction_blocked', 'security.destination_blocked'] },
  { mode: 'OBSERVE', name: 'fine', leaves: ['action.observed', 'action.completed', 'a2a.interaction_allowed'] },
  { mode: 'SIMULATE', name: 'fine', leaves: ['action.simulated'] },
];

/** Sends a message that waits for an approval, and is approved when the remote agent is gone, so that the approval is usable again. */
const playHeld = async (scene: NounScene): Promise<Play<Called>[]> => {
  const place = await newPlace(scene, 'ENFORCE', 'held');
  const { database, tenant, planes } = scene;
  const message = newA2aMessage('hello');
  const held = await say(scene, place, message);
  const waiting = await newPlay(scene, 'ENFORCE', held, ['action.requested', 'action.approval_required', 'approval.requested']);
  const { approval_id } = held.json.error.data[0].metadata;
  const approver = await insertPerson(database, tenant.organization_id, 'approver');
  await newControlClient(planes.controlUrl, approver.token).approveApproval({ params: { approvalId: approval_id }, body: {} });
  await place.remote.close();
  const unsent = await say(scene, place, message);
  const about = ['action', unsent.json.error.data[0].metadata.action_id] as const;
  return [
    waiting,
    {
      answer: unsent,
      by: { type: 'AGENT', id: scene.places.ENFORCE.agent.id },
      events: [
        ['action.allowed', ...about],
        ['action.failed', ...about],
        ['approval.restored', 'approval', approval_id],
      ],
    },
  ];
};

/** Sends a message with a credential. */
const playCredential = async (scene: NounScene): Promise<Play<Called>> => {
  const { tenant, places } = scene;
  const first = await newPlace(scene, 'ENFORCE', 'unused');
  const { environment_id } = places.ENFORCE;
  const destinations = [new URL(first.remote.url).host];
  const { credentialId } = await newCredential({ ...tenant, environment_id }, { destinations, tools: ['a2a.proved'] });
  const place = await newProved(scene, first, credentialId);
  const answer = await say(scene, place);
  await first.remote.close();
  return newPlay(scene, 'ENFORCE', answer, [
    'action.requested',
    'action.allowed',
    'credential.issued',
    'action.completed',
    'a2a.interaction_allowed',
  ]);
};

/** Creates a second connection to the same remote agent, with a credential. */
const newProved = async ({ make, places }: NounScene, { remote }: Place, credential_id: string): Promise<Place> => {
  const { environment_id, agent } = places.ENFORCE;
  const body = { name: 'proved', environment_id, card_url: remote.cardUrl, keys: [remote.key.jwk], credential_id };
  const { id, tool_id, required_capability } = await make('POST', '/v1/a2a/connections', body);
  await make('POST', `/v1/agents/${agent.id}/capabilities`, { capability: required_capability });
  await make('POST', `/v1/tools/${tool_id}/agents`, { agent_id: agent.id });
  await make('POST', `/v1/a2a/connections/${id}/verify`, {});
  return { id, tool_id, remote, mode: 'ENFORCE' };
};

/** Requests actions on the tool of a connection: one that is sent, and one that is refused since the connection is blocked. */
export const actOnA2aTool = async (scene: NounScene): Promise<Play<EmittedBy<Endpoints['act']>>[]> => {
  const { places, ask, make } = scene;
  const { id, remote, tool_id } = await newPlace(scene, 'ENFORCE', scene.name('acted'));
  const { name: tool } = await make('GET', `/v1/tools/${tool_id}`);
  // Earlier recipes may have left delegations to the agent, which then restrict it.
  const delegation = await make('POST', '/v1/delegations', { delegate_agent_id: places.ENFORCE.agent.id });
  const act = () =>
    ask(places.ENFORCE.token, 'POST', '/gateway/v1/actions', {
      tool,
      parameters: { method: 'SendMessage', message: newA2aMessage('hello') },
    });
  const sent = await act();
  await make('POST', `/v1/a2a/connections/${id}/block`, { reason });
  const refused = await act();
  await remote.close();
  await make('POST', `/v1/delegations/${delegation.id}/revoke`, { reason });
  const by = { type: 'AGENT', id: places.ENFORCE.agent.id } as const;
  const of = (answer: TestResponse, types: readonly EmittedBy<Endpoints['act']>[]) => {
    const actionId: string = answer.json.action_id ?? answer.json.error.details.decision.action_id;
    return { answer, by, events: types.map((type) => [type, 'action', actionId] as const) };
  };
  return [
    of(sent, ['action.requested', 'action.allowed', 'action.completed', 'a2a.interaction_allowed']),
    of(refused, ['action.requested', 'action.blocked', 'a2a.interaction_blocked']),
  ];
};

type CalledInbound = EmittedBy<Endpoints['callAgent']>;

/** Registers and verifies a connection over which a partner sends messages to the agent of an environment. */
const newInbound = async ({ make, places }: NounScene, mode: TestMode, name: string, more: object = {}) => {
  const { environment_id, agent } = places[mode];
  const [remote, own] = [await startA2aAgent(), await startA2aAgent()];
  await make('POST', `/v1/agents/${agent.id}/publish`, {
    description: 'Books rooms.',
    skills: [{ id: 'book', name: 'Book a room', description: 'Books a room.', tags: ['rooms'] }],
  });
  const { id, tool_id, required_capability } = await make('POST', '/v1/a2a/connections', {
    ...{ name: `in-${name}`, environment_id, card_url: remote.cardUrl, keys: [remote.key.jwk] },
    ...{ direction: 'INBOUND', agent_id: agent.id, agent_url: `${own.url}/a2a`, ...more },
  });
  await make('POST', `/v1/agents/${agent.id}/capabilities`, { capability: required_capability });
  await make('POST', `/v1/tools/${tool_id}/agents`, { agent_id: agent.id });
  await make('POST', `/v1/a2a/connections/${id}/verify`, {});
  return { id, tool_id, remote, own, mode };
};

type Inbound = Awaited<ReturnType<typeof newInbound>>;

const sayInbound = async (
  scene: NounScene,
  { id, remote, mode }: Inbound,
  message: object = newA2aMessage('hello'),
): Promise<TestResponse> => {
  const { planes, places } = scene;
  const { issuer } = (await call(planes.gatewayUrl, 'GET', '/.well-known/oauth-authorization-server', {})).json;
  const token = await mintPeerToken(planes.gatewayUrl, { connectionId: id, key: remote.key, audience: issuer });
  return call(planes.gatewayUrl, 'POST', `/gateway/v1/agents/${places[mode].agent.id}/a2a`, {
    token,
    headers: { 'a2a-version': '1.0' },
    body: { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: { message } },
  });
};

/** Sends messages of a partner, in every way that they can end. */
const playInbound = async (scene: NounScene): Promise<Play<CalledInbound>[]> => {
  const plays: Play<CalledInbound>[] = [];
  const play = async (place: Inbound, answer: TestResponse, types: readonly CalledInbound[], approvalId = ''): Promise<void> => {
    const { id } = await newestAction(scene, place.mode);
    const events = types.map(
      (type): EventKey<CalledInbound> => (type.startsWith('approval.') ? [type, 'approval', approvalId] : [type, 'action', id]),
    );
    plays.push({ answer, by: { type: 'AGENT', id: place.id }, events });
  };
  for (const { mode, name, leaves } of WAYS) {
    const place = await newInbound(scene, mode, name);
    if (name === 'far')
      await scene.make('PATCH', `/v1/tools/${place.tool_id}`, { destination_allowlist: ['api.example.com'], accept_warnings: true });
    place.own.before = (path, response) => {
      if (name === 'breaks' && path === '/a2a') response.writeHead(500).end();
      return name === 'breaks' && path === '/a2a';
    };
    await play(place, await sayInbound(scene, place), ['action.requested', ...leaves]);
    await closeInbound(place);
  }
  const held = await newInbound(scene, 'ENFORCE', 'held');
  const message = newA2aMessage('hello');
  const waiting = await sayInbound(scene, held, message);
  const approvalId: string = waiting.json.result.task.id.slice('held-'.length);
  await play(held, waiting, ['action.requested', 'action.approval_required', 'approval.requested'], approvalId);
  const { database, tenant, planes, places } = scene;
  const approver = await insertPerson(database, tenant.organization_id, 'approver');
  await newControlClient(planes.controlUrl, approver.token).approveApproval({ params: { approvalId }, body: {} });
  await held.own.close();
  // The agent is gone, so nothing is sent and the approval is usable again.
  const unsent = await sayInbound(scene, held, message);
  await play(held, unsent, ['action.allowed', 'action.failed', 'approval.restored'], approvalId);
  await held.remote.close();
  const unused = await newInbound(scene, 'ENFORCE', 'unused');
  const { credentialId } = await newCredential(
    { ...tenant, environment_id: places.ENFORCE.environment_id },
    { destinations: [new URL(unused.own.url).host], tools: ['a2a.in-proved'] },
  );
  const proved = await newInbound(scene, 'ENFORCE', 'proved', { credential_id: credentialId, agent_url: `${unused.own.url}/a2a` });
  const answer = await sayInbound(scene, proved);
  await play(proved, answer, ['action.requested', 'action.allowed', 'credential.issued', 'action.completed', 'a2a.interaction_allowed']);
  await Promise.all([unused, proved].map(closeInbound));
  return plays;
};

/** Sends push notifications of a task: one over a verified connection, and one over a blocked connection. */
const playNotified = async (scene: NounScene): Promise<Play<EmittedBy<Endpoints['receiveA2aNotification']>>[]> => {
  const { planes, places, make } = scene;
  const place = await newPlace(scene, 'ENFORCE', 'pushed', {}, true);
  const path = `/gateway/v1/a2a/${place.id}`;
  const started = await call(planes.gatewayUrl, 'POST', path, {
    token: places.ENFORCE.token,
    headers: { 'a2a-version': '1.0' },
    body: {
      ...{ jsonrpc: '2.0', id: 1, method: 'SendMessage' },
      params: {
        message: newA2aMessage('task'),
        configuration: { taskPushNotificationConfig: { url: `${planes.gatewayUrl}${path}/notifications` } },
      },
    },
  });
  const { params } = JSON.parse(place.remote.received.at(-1)?.body ?? '{}');
  const push = (timestamp: string) =>
    call(planes.gatewayUrl, 'POST', `${path}/notifications`, {
      headers: { 'x-a2a-notification-token': params.configuration.taskPushNotificationConfig.token },
      body: { statusUpdate: { taskId: started.json.result.task.id, status: { state: 'TASK_STATE_COMPLETED', timestamp } } },
    });
  const by = { type: 'AGENT', id: place.id } as const;
  const accepted = await push('2026-01-01T00:00:00.000Z');
  await make('POST', `/v1/a2a/connections/${place.id}/block`, { reason });
  const refused = await push('2026-01-01T00:00:01.000Z');
  await place.remote.close();
  return [
    { answer: accepted, by, events: [['a2a.interaction_allowed', ...about(place.id)]] },
    { answer: refused, by, events: [['a2a.interaction_blocked', ...about(place.id)]] },
  ];
};

const closeInbound = async ({ remote, own }: Inbound): Promise<void> => {
  await Promise.all([remote.close(), own.close()]);
};

const about = (id: string) => ['a2a_connection', id] as const;

export const a2aTests = {
  scopes: { a2a_connection: ownColumns('a2a_connections') },
  one: async ({ controlUrl, token, environment_id }, word, { environment_id: within }) => {
    const body = { name: word, environment_id: within ?? environment_id, card_url: CARD_URL, keys: [KEY] };
    const { id } = await mustCall(controlUrl, 'POST', '/v1/a2a/connections', { token, body });
    return { a2aConnectionId: id as string };
  },
  bodies: ({ made, tenant }) => ({
    registerA2aConnection: { name: `Connection ${made}`, environment_id: tenant.environment_id, card_url: CARD_URL, keys: [KEY] },
    verifyA2aConnection: {},
    blockA2aConnection: { reason },
    updateA2aConnection: { name: `Renamed ${made}` },
    callAgent: { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'none' } },
    callA2aConnection: { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'none' } },
    receiveA2aNotification: { statusUpdate: { taskId: 'none', status: { state: 'TASK_STATE_WORKING' } } },
  }),
  recipes: {
    registerA2aConnection: async ({ send, name, tenant }) => {
      const body = { name: name('Connection'), environment_id: tenant.environment_id, card_url: CARD_URL, keys: [KEY] };
      const answer = await send('POST', '/v1/a2a/connections', body);
      return [
        {
          answer,
          events: [
            ['tool.created', 'tool', answer.json.tool_id],
            ['a2a.connection_created', ...about(answer.json.id)],
          ],
        },
      ];
    },
    verifyA2aConnection: async (scene) => {
      const { id, remote } = await newPlace(scene, 'ENFORCE', scene.name('Connection'));
      const again = await scene.send('POST', `/v1/a2a/connections/${id}/verify`, {});
      await scene.make('POST', `/v1/a2a/connections/${id}/block`, { reason });
      const released = await scene.send('POST', `/v1/a2a/connections/${id}/verify`, { release: reason });
      await remote.close();
      const verified = ['a2a.passport_verified', ...about(id)] as const;
      return [
        { answer: again, events: [verified] },
        { answer: released, events: [verified, ['a2a.connection_updated', ...about(id)]] },
      ];
    },
    blockA2aConnection: async (scene) => {
      const { id, remote } = await newPlace(scene, 'ENFORCE', scene.name('Connection'));
      const answer = await scene.send('POST', `/v1/a2a/connections/${id}/block`, { reason });
      await remote.close();
      return [{ answer, events: [['a2a.connection_blocked', ...about(id)]] }];
    },
    updateA2aConnection: async (scene) => {
      const { id, remote } = await newPlace(scene, 'ENFORCE', scene.name('Connection'));
      const answer = await scene.send('PATCH', `/v1/a2a/connections/${id}`, { name: scene.name('Renamed') });
      await remote.close();
      return [{ answer, events: [['a2a.connection_updated', ...about(id)]] }];
    },
    deleteA2aConnection: async (scene) => {
      const { id, remote, tool_id } = await newPlace(scene, 'ENFORCE', scene.name('Connection'));
      const answer = await scene.send('DELETE', `/v1/a2a/connections/${id}`);
      await remote.close();
      return [
        {
          answer,
          events: [
            ['tool.disabled', 'tool', tool_id],
            ['a2a.connection_blocked', ...about(id)],
          ],
        },
      ];
    },
    callAgent: playInbound,
    receiveA2aNotification: playNotified,
    callA2aConnection: async (scene) => {
      const plays: Play<Called>[] = [];
      for (const { mode, name, leaves } of WAYS) {
        const place = await newPlace(scene, mode, name);
        if (name === 'far')
          await scene.make('PATCH', `/v1/tools/${place.tool_id}`, { destination_allowlist: ['api.example.com'], accept_warnings: true });
        place.remote.before = (path, response) => {
          if (name === 'breaks' && path === '/a2a') response.writeHead(500).end();
          return name === 'breaks' && path === '/a2a';
        };
        plays.push(await newPlay(scene, mode, await say(scene, place), ['action.requested', ...leaves]));
        await place.remote.close();
      }
      return [...plays, ...(await playHeld(scene)), await playCredential(scene)];
    },
  },
} as const satisfies NounTests;
