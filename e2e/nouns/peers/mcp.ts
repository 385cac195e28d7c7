import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy } from '@svc/contract/rows/endpoint.ts';
import { newAgent } from '@svc/testing/agents/agent.ts';
import type { TestMode } from '@svc/testing/agents/governed-environment.ts';
import { newCredential } from '@svc/testing/agents/new-credential.ts';
import { echoTool, type FakeMcpServer, startMcpServer } from '@svc/testing/peers/mcp-server.ts';
import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { insertPerson } from '@svc/testing/records/insert-person.ts';
import type { NounTests } from '../noun-tests.ts';
import { newApprovedRequest } from '../scene/approved-request.ts';
import type { EventKey, Play } from '../scene/play.ts';
import type { NounScene } from '../scene/scene.ts';
import { ownColumns } from '../scope-sql.ts';

type Called = EmittedBy<Endpoints['callMcpServer']>;

const reason = 'test';
const PIN = '0'.repeat(64);

/** Tools whose governed names the rules of the scene know: the slug of each server here is `mcp-server`. */
const TOOLS = ['fine', 'blocked', 'limited', 'masked', 'held', 'far', 'breaks'];

type Place = { readonly serverId: string; readonly slug: string; readonly peer: FakeMcpServer; readonly mode: TestMode };

/** Registers a server in an environment, with all its tools authorized for the agent there. */
const newPlace = async ({ make, places }: NounScene, mode: TestMode, name = 'MCP server'): Promise<Place> => {
  const { environment_id, agent } = places[mode];
  const peer = await startMcpServer(
    'MODERN',
    TOOLS.map((name) => echoTool(name)),
  );
  peer.behave = ({ name }) => ({ content: [{ type: 'text', text: name }], ...(name === 'breaks' ? { isError: true } : {}) });
  const { id: serverId, slug } = await make('POST', '/v1/mcp/servers', {
    ...{ name, environment_id, transport: { type: 'HTTP', url: peer.url } },
  });
  const { tools } = await make('POST', `/v1/mcp/servers/${serverId}/discover`, {});
  for (const { id, pin, name } of tools) {
    const body = { pin, required_capability: 'work', agent_ids: [agent.id], risk_rating: 'LOW' };
    const { tool_id } = await make('POST', `/v1/mcp/servers/${serverId}/tools/${id}/authorize`, body);
    if (name === 'far') await make('PATCH', `/v1/tools/${tool_id}`, { destination_allowlist: ['api.example.com'], accept_warnings: true });
  }
  return { serverId, slug, peer, mode };
};

/** Removes a server, so that another may have its slug. */
const endPlace = async ({ make }: NounScene, { serverId, peer }: Place): Promise<void> => {
  await make('DELETE', `/v1/mcp/servers/${serverId}`);
  await peer.close();
};

const callTool = ({ planes, places }: NounScene, mode: TestMode, path: string, name: string): Promise<TestResponse> =>
  call(planes.gatewayUrl, 'POST', path, {
    token: places[mode].token,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { text: name } } },
  });

const readDecision = ({ json }: TestResponse) => json.result._meta['svc/decision'];

const WAYS: readonly { readonly mode: TestMode; readonly tool: string; readonly leaves: readonly Called[] }[] = [
  { mode: 'ENFORCE', tool: 'fine', leaves: ['action.allowed', 'action.completed', 'mcp.tool_invoked'] },
  { mode: 'ENFORCE', tool: 'breaks', leaves: ['action.allowed', 'action.failed', 'mcp.tool_invoked'] },
  { mode: 'ENFORCE', tool: 'blocked', leaves: ['action.blocked'] },
  { mode: 'ENFORCE', tool: 'limited', leaves: ['action.limited', 'action.completed', 'mcp.tool_invoked'] },
  { mode: 'ENFORCE', tool: 'masked', leaves: ['action.masked', 'action.completed', 'mcp.tool_invoked'] },
  { mode: 'ENFORCE', tool: 'held', leaves: ['action.approval_required', 'approval.requested'] },
  { mode: 'ENFORCE', tool: 'far', leaves: ['action.blocked', 'security.destination_blocked'] },
  { mode: 'OBSERVE', tool: 'fine', leaves: ['action.observed', 'action.completed', 'mcp.tool_invoked'] },
  { mode: 'SIMULATE', tool: 'fine', leaves: ['action.simulated'] },
];

const newPlay = (scene: NounScene, mode: TestMode, answer: TestResponse, types: readonly Called[]): Play<Called> => {
  const { action_id, approval_id } = readDecision(answer);
  const events = types.map(
    (type): EventKey<Called> => (type.startsWith('approval.') ? [type, 'approval', approval_id] : [type, 'action', action_id]),
  );
  return { answer, by: { type: 'AGENT', id: scene.places[mode].agent.id }, events };
};

/** Makes an approved call whose server is gone, so that its approval is usable again. */
const unsentCall = async (
  scene: NounScene,
  path: (serverId: string) => string,
  toolName: (name: string) => string,
): Promise<Play<Called>> => {
  const place = await newPlace(scene, 'ENFORCE');
  const { make, database, tenant, planes } = scene;
  await make('PATCH', `/v1/mcp/servers/${place.serverId}`, { settings: { hold_seconds: 0 } });
  const held = await callTool(scene, 'ENFORCE', path(place.serverId), toolName('held'));
  const { approval_id } = readDecision(held);
  const approver = await insertPerson(database, tenant.organization_id, 'approver');
  await newControlClient(planes.controlUrl, approver.token).approveApproval({ params: { approvalId: approval_id }, body: {} });
  await place.peer.close();
  const answer = await callTool(scene, 'ENFORCE', path(place.serverId), toolName('held'));
  const about = ['action', readDecision(answer).action_id] as const;
  await make('DELETE', `/v1/mcp/servers/${place.serverId}`);
  return {
    answer,
    by: { type: 'AGENT', id: scene.places.ENFORCE.agent.id },
    events: [
      ['action.allowed', ...about],
      ['action.failed', ...about],
      ['approval.restored', 'approval', approval_id],
    ],
  };
};

/** Makes a call with the credential of its server. */
const callWithCredential = async (
  scene: NounScene,
  path: (serverId: string) => string,
  toolName: (name: string) => string,
): Promise<Play<Called>> => {
  const { tenant, places, make } = scene;
  const place = await newPlace(scene, 'ENFORCE');
  const { environment_id } = places.ENFORCE;
  const destinations = [new URL(place.peer.url).host];
  const { credentialId } = await newCredential({ ...tenant, environment_id }, { destinations, tools: ['none'], servers: ['mcp-server'] });
  await make('PATCH', `/v1/mcp/servers/${place.serverId}`, { credential_id: credentialId });
  const { tools } = await make('POST', `/v1/mcp/servers/${place.serverId}/discover`, {});
  const fine = tools.find(({ name }: { name: string }) => name === 'fine');
  await make('POST', `/v1/mcp/servers/${place.serverId}/tools/${fine.id}/authorize`, { pin: fine.pin });
  const answer = await callTool(scene, 'ENFORCE', path(place.serverId), toolName('fine'));
  await endPlace(scene, place);
  return newPlay(scene, 'ENFORCE', answer, [
    'action.requested',
    'action.allowed',
    'credential.issued',
    'action.completed',
    'mcp.tool_invoked',
  ]);
};

/** Requests an action on an MCP tool, which the gateway calls at its server. */
export const actOnMcpTool = async (scene: NounScene): Promise<Play<EmittedBy<Endpoints['act']>>> => {
  const place = await newPlace(scene, 'ENFORCE');
  const answer = await scene.ask(scene.places.ENFORCE.token, 'POST', '/gateway/v1/actions', {
    tool: 'mcp-server.fine',
    parameters: { text: 'x' },
  });
  await endPlace(scene, place);
  const about = ['action', answer.json.action_id] as const;
  const types = ['action.requested', 'action.allowed', 'action.completed', 'mcp.tool_invoked'] as const;
  return { answer, by: { type: 'AGENT', id: scene.places.ENFORCE.agent.id }, events: types.map((type) => [type, ...about] as const) };
};

/** Writes every event of MCP tool calls, at one of the two endpoints. */
const playCalls = async (
  scene: NounScene,
  path: (serverId: string) => string,
  toolName: (name: string) => string,
): Promise<Play<Called>[]> => {
  const plays: Play<Called>[] = [];
  for (const mode of ['ENFORCE', 'OBSERVE', 'SIMULATE'] as const) {
    const place = await newPlace(scene, mode);
    await scene.make('PATCH', `/v1/mcp/servers/${place.serverId}`, { settings: { hold_seconds: 0 } });
    for (const { tool, leaves } of WAYS.filter((way) => way.mode === mode)) {
      const answer = await callTool(scene, mode, path(place.serverId), toolName(tool));
      plays.push(newPlay(scene, mode, answer, ['action.requested', ...leaves]));
    }
    await endPlace(scene, place);
  }
  plays.push(await callWithCredential(scene, path, toolName), await unsentCall(scene, path, toolName));
  return plays;
};

const playing = async <Result>(scene: NounScene, work: (place: Place) => Promise<Result>): Promise<Result> => {
  const place = await newPlace(scene, 'ENFORCE', scene.name('Server'));
  try {
    return await work(place);
  } finally {
    await place.peer.close();
  }
};

const about = (serverId: string) => ['mcp_server', serverId] as const;

export const mcpTests = {
  scopes: { mcp_server: ownColumns('mcp_servers') },
  one: async ({ controlUrl, token, environment_id }, word, { environment_id: within }) => {
    const body = { name: word, environment_id: within ?? environment_id, transport: { type: 'HTTP', url: 'https://mcp.example.com/mcp' } };
    const { id } = await mustCall(controlUrl, 'POST', '/v1/mcp/servers', { token, body });
    return { serverId: id as string };
  },
  bodies: ({ made, tenant }) => ({
    registerMcpServer: {
      ...{ name: `Server ${made}`, environment_id: tenant.environment_id, transport: { type: 'HTTP', url: 'https://mcp.example.com/mcp' } },
    },
    updateMcpServer: { settings: { timeout_ms: 5_000 } },
    discoverMcpServer: {},
    disableMcpServer: { reason },
    releaseMcpServer: { reason },
    authorizeMcpTool: { pin: PIN, required_capability: `capability-${made}` },
    disableMcpTool: { reason },
    callMcpServer: { jsonrpc: '2.0', id: 1, method: 'ping' },
    callMcpServers: { jsonrpc: '2.0', id: 1, method: 'ping' },
  }),
  recipes: {
    registerMcpServer: async ({ send, name, tenant }) => {
      const transport = { type: 'HTTP', url: 'https://mcp.example.com/mcp' };
      const answer = await send('POST', '/v1/mcp/servers', { name: name('Server'), environment_id: tenant.environment_id, transport });
      return [{ answer, events: [['mcp.server_registered', ...about(answer.json.id)]] }];
    },
    updateMcpServer: (scene) =>
      playing(scene, async ({ serverId }) => {
        const answer = await scene.send('PATCH', `/v1/mcp/servers/${serverId}`, { settings: { timeout_ms: 5_000 } });
        return [{ answer, events: [['mcp.server_updated', ...about(serverId)]] }];
      }),
    deleteMcpServer: async (scene) => {
      const { serverId, peer } = await newPlace(scene, 'ENFORCE', scene.name('Server'));
      const ids = (await scene.make('GET', `/v1/mcp/servers/${serverId}/tools`)).map(({ tool_id }: { tool_id: string }) => tool_id);
      await peer.close();
      const answer = await scene.send('DELETE', `/v1/mcp/servers/${serverId}`);
      const disabled = ids.map((id: string) => ['tool.disabled', 'tool', id] as const);
      return [{ answer, events: [...disabled, ['mcp.server_disabled', ...about(serverId)]] }];
    },
    discoverMcpServer: (scene) =>
      playing(scene, async ({ serverId, slug, peer }) => {
        const { tenant, places, make, send } = scene;
        const again = await send('POST', `/v1/mcp/servers/${serverId}/discover`, {});
        peer.tools = [echoTool('fine', { description: 'Another.' })];
        const changed = await send('POST', `/v1/mcp/servers/${serverId}/discover`, {});
        const destinations = [new URL(peer.url).host];
        const { environment_id } = places.ENFORCE;
        const { credentialId } = await newCredential({ ...tenant, environment_id }, { destinations, tools: ['none'], servers: [slug] });
        await make('PATCH', `/v1/mcp/servers/${serverId}`, { credential_id: credentialId });
        const proved = await send('POST', `/v1/mcp/servers/${serverId}/discover`, {});
        const discovered = ['mcp.tools_discovered', ...about(serverId)] as const;
        return [
          { answer: again, events: [discovered] },
          { answer: changed, events: [discovered, ['mcp.server_quarantined', ...about(serverId)]] },
          { answer: proved, events: [['credential.issued', 'credential', credentialId], discovered] },
        ];
      }),
    disableMcpServer: (scene) =>
      playing(scene, async ({ serverId }) => {
        const answer = await scene.send('POST', `/v1/mcp/servers/${serverId}/disable`, { reason });
        return [{ answer, events: [['mcp.server_disabled', ...about(serverId)]] }];
      }),
    releaseMcpServer: (scene) =>
      playing(scene, async ({ serverId, peer }) => {
        const { make, send } = scene;
        const schema = { type: 'object', properties: { text: { type: 'string', maxLength: 5 } } };
        peer.tools = [echoTool('fine', { inputSchema: schema })];
        const { tools } = await make('POST', `/v1/mcp/servers/${serverId}/discover`, {});
        const { id, pin, tool_id } = tools.find(({ name }: { name: string }) => name === 'fine');
        const answer = await send('POST', `/v1/mcp/servers/${serverId}/release`, { reason, accept: [{ tool_id: id, pin }] });
        return [
          {
            answer,
            events: [
              ['tool.updated', 'tool', tool_id],
              ['mcp.server_updated', ...about(serverId)],
            ],
          },
        ];
      }),
    authorizeMcpTool: async (scene) => playAuthorization(scene),
    disableMcpTool: (scene) =>
      playing(scene, async ({ serverId }) => {
        const [{ id, tool_id }] = await scene.make('GET', `/v1/mcp/servers/${serverId}/tools?status=AUTHORIZED`);
        const answer = await scene.send('POST', `/v1/mcp/servers/${serverId}/tools/${id}/disable`, { reason });
        return [
          {
            answer,
            events: [
              ['tool.disabled', 'tool', tool_id],
              ['mcp.tool_disabled', ...about(serverId)],
            ],
          },
        ];
      }),
    callMcpServer: (scene) =>
      playCalls(
        scene,
        (serverId) => `/gateway/v1/mcp/${serverId}`,
        (name) => name,
      ),
    callMcpServers: (scene) =>
      playCalls(
        scene,
        () => '/gateway/v1/mcp',
        (name) => `mcp-server__${name}`,
      ),
  },
} as const satisfies NounTests;

/** Authorizes a tool for the first time, and again for another agent after its governed tool was disabled and its definition changed. */
const playAuthorization = (scene: NounScene) =>
  playing(scene, async ({ serverId, peer }) => {
    const { make, send, tenant, places } = scene;
    const path = (id: string) => `/v1/mcp/servers/${serverId}/tools/${id}/authorize`;
    peer.tools = [...peer.tools, echoTool('added')];
    const listed = async (wanted: string) =>
      (await make('POST', `/v1/mcp/servers/${serverId}/discover`, {})).tools.find(({ name }: { name: string }) => name === wanted);
    const added = await listed('added');
    const first = await send('POST', path(added.id), { pin: added.pin, required_capability: 'work' });
    const toolId: string = first.json.tool_id;
    await make('POST', `/v1/mcp/servers/${serverId}/tools/${added.id}/disable`, { reason });
    peer.tools = [
      ...peer.tools.slice(0, -1),
      echoTool('added', { inputSchema: { type: 'object', properties: { other: { type: 'string' } } } }),
    ];
    const changed = await listed('added');
    const { environment_id } = places.ENFORCE;
    const agent = await newAgent({ ...tenant, environment_id }, { capabilities: ['work'] });
    const approvalId = await newApprovedRequest(scene, agent.id, toolId);
    const again = await send('POST', path(added.id), { pin: changed.pin, agent_ids: [agent.id] });
    return [
      {
        answer: first,
        events: [
          ['tool.created', 'tool', toolId],
          ['mcp.tool_authorized', ...about(serverId)],
        ],
      },
      {
        answer: again,
        events: [
          ['tool.updated', 'tool', toolId],
          ['tool.enabled', 'tool', toolId],
          ['mcp.tool_authorized', ...about(serverId)],
          ['tool.updated', 'tool', toolId],
          ['approval.cancelled', 'approval', approvalId],
        ],
      },
    ] as const;
  });
