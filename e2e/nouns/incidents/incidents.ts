import { mustCall } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import { type NounTests, reason } from '../noun-tests.ts';
import type { NounScene } from '../scene/scene.ts';
import { ownColumns } from '../scope-sql.ts';

const newIncident = ({ make, name, tenant }: NounScene): Promise<{ id: string }> =>
  make('POST', '/v1/incidents', { title: name('Incident'), severity: 'LOW', environment_id: tenant.environment_id });

const newResolved = async (scene: NounScene): Promise<{ id: string }> => {
  const incident = await newIncident(scene);
  await scene.make('POST', `/v1/incidents/${incident.id}/resolve`, { resolution: 'FIXED', summary: reason });
  return incident;
};

type Changing = 'incident.updated' | 'incident.resolved' | 'incident.closed';

const changing = <Type extends Changing>(
  type: Type,
  from: (scene: NounScene) => Promise<{ id: string }>,
  method: string,
  path: string,
  body: object,
) =>
  async function play(scene: NounScene) {
    const { id } = await from(scene);
    const answer = await scene.send(method, `/v1/incidents/${id}${path}`, body);
    return [{ answer, events: [[type, 'incident', id] as const] }];
  };

const NO_ONE = 'tool_00000000000000000000000000';

export const incidentTests = {
  one: async ({ controlUrl, token, environment_id }, word, within) => {
    const body = { title: `${word} incident`, description: word, severity: 'LOW', environment_id: within.environment_id ?? environment_id };
    const { id: incidentId } = await mustCall(controlUrl, 'POST', '/v1/incidents', { token, body });
    for (const note of [word, `${word} again`])
      await newControlClient(controlUrl, token).addIncidentEntry({ params: { incidentId }, body: { note } });
    return { incidentId };
  },
  scopes: { incident: ownColumns('incidents') },
  bodies: ({ made, agent, tenant }) => ({
    createIncident: {
      title: `Incident ${made}`,
      severity: 'LOW',
      environment_id: tenant.environment_id,
      subjects: [{ type: 'agent', id: agent.id }],
    },
    updateIncident: { title: `Incident ${made}` },
    addIncidentEntry: { note: `Note ${made}` },
    previewContainment: { steps: [{ control: 'disable-tool', target: NO_ONE }] },
    containIncident: { reason },
    resolveIncident: { resolution: 'FIXED', summary: reason },
    reopenIncident: { reason },
    closeIncident: { reason },
  }),
  recipes: {
    createIncident: async ({ send, name }) => {
      const answer = await send('POST', '/v1/incidents', { title: name('Incident'), severity: 'HIGH' });
      return [{ answer, events: [['incident.created', 'incident', answer.json.id]] }];
    },
    updateIncident: changing('incident.updated', newIncident, 'PATCH', '', { severity: 'HIGH' }),
    addIncidentEntry: changing('incident.updated', newIncident, 'POST', '/entries', { note: reason }),
    resolveIncident: changing('incident.resolved', newIncident, 'POST', '/resolve', { resolution: 'FIXED', summary: reason }),
    reopenIncident: changing('incident.updated', newResolved, 'POST', '/reopen', { reason }),
    closeIncident: changing('incident.closed', newResolved, 'POST', '/close', { reason }),
    containIncident: (scene) => playContainment(scene),
  },
} as const satisfies NounTests;

const stepsFor = (agentId: string, environmentId: string, toolId: string) => [
  { control: 'isolate-agent', target: agentId, confirm_blast_radius: 1 },
  { control: 'pause-environment', target: environmentId, confirm_blast_radius: 0 },
  { control: 'disable-tool', target: toolId, confirm_blast_radius: 0 },
  { control: 'revoke-sessions', target: environmentId, confirm_blast_radius: 0 },
];

const playContainment = async (scene: NounScene) => {
  const [first, second] = [await newIncident(scene), await newIncident(scene)];
  const drill = await scene.make('POST', '/v1/incidents', { title: scene.name('Drill'), severity: 'LOW', drill: true });
  const agent = await scene.agent();
  const { make, name, tenant } = scene;
  const environment = await make('POST', '/v1/environments', {
    workspace_id: tenant.workspace_id,
    name: name('Contained'),
    type: 'STAGING',
  });
  const { environment_id } = tenant;
  const tool = await make('POST', '/v1/tools', {
    name: name('contained')
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ''),
    environment_id,
    required_capability: 'x',
    kind: 'SDK',
  });
  const steps = stepsFor(agent.id, environment.id, tool.id);
  const send = (id: string, some: readonly object[]) => scene.send('POST', `/v1/incidents/${id}/contain`, { reason, steps: some });
  const executed = 'security.emergency_action_executed';
  const missing = [{ control: 'disable-tool', target: NO_ONE, confirm_blast_radius: 0 }];
  const environmentDrill = [
    {
      control: 'pause-environment',
      target: tenant.environment_id,
      confirm_blast_radius: (await make('POST', '/v1/emergency/pause-environment/preview', { target: tenant.environment_id })).blast_radius
        .number,
    },
  ];
  return [
    {
      answer: await send(first.id, steps),
      events: [
        ['agent.isolated', 'agent', agent.id],
        [executed, 'agent', agent.id],
        ['environment.paused', 'environment', environment.id],
        [executed, 'environment', environment.id],
        ['tool.disabled', 'tool', tool.id],
        [executed, 'tool', tool.id],
        ['session.revoked', 'environment', environment.id],
        [executed, 'environment', environment.id],
        ['incident.contained', 'incident', first.id],
      ],
    },
    { answer: await send(second.id, missing), events: [['incident.updated', 'incident', second.id]] },
    {
      answer: await send(drill.id, environmentDrill),
      events: [
        ['emergency.drill_completed', 'environment', tenant.environment_id],
        ['incident.contained', 'incident', drill.id],
      ],
    },
  ] as const;
};
