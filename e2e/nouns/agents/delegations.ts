import type { NounTests } from '../noun-tests.ts';
import type { NounScene } from '../scene/scene.ts';
import { getAgentScope } from '../scope-sql.ts';

const reason = 'test';

/** Creates a delegation to the signed-in agent, of one capability. */
const newRoot = ({ make, places }: NounScene, more: object = {}): Promise<{ id: string }> =>
  make('POST', '/v1/delegations', {
    delegate_agent_id: places.ENFORCE.agent.id,
    scope: { capabilities: ['work'] },
    can_redelegate: true,
    max_depth: 2,
    ...more,
  });

const newPeer = async ({ make, places, name, tenant }: NounScene): Promise<string> => {
  const body = { name: name('Peer'), workspace_id: tenant.workspace_id, environment_id: places.ENFORCE.environment_id, capabilities: [] };
  return (await make('POST', '/v1/agents', body)).data.agent.id;
};

const WIDER = { scope: { capabilities: ['everything'] } };

export const delegationTests = {
  scopes: { delegation: getAgentScope('delegations', 'delegate_agent_id') },
  bodies: ({ made, agent }) => ({
    createDelegation: { delegate_agent_id: agent.id, can_redelegate: true, max_depth: made % 10 },
    simulateDelegation: { delegate_agent_id: agent.id },
    extendDelegation: { expires_at: null, reason },
    reduceDelegation: { can_redelegate: false },
    revokeDelegation: { reason },
    delegate: { delegate_agent_id: agent.id },
  }),
  recipes: {
    createDelegation: async (scene) => {
      const [root, peer] = [await newRoot(scene), await newPeer(scene)];
      const answer = await scene.send('POST', '/v1/delegations', { delegate_agent_id: peer });
      const below = { parent_id: root.id, delegate_agent_id: peer, ...WIDER };
      return [
        { answer, events: [['delegation.created', 'delegation', answer.json.id]] },
        {
          answer: await scene.send('POST', '/v1/delegations', below),
          events: [['delegation.escalation_blocked', 'delegation', root.id]],
        },
      ];
    },
    extendDelegation: async (scene) => {
      const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
      const peer = await newPeer(scene);
      const { id } = await newRoot(scene, { expires_at: inHours(2) });
      const below = await scene.make('POST', '/v1/delegations', { parent_id: id, delegate_agent_id: peer, expires_at: inHours(1) });
      const extend = (of: string, hours: number) =>
        scene.send('POST', `/v1/delegations/${of}/extend`, { expires_at: inHours(hours), reason });
      return [
        { answer: await extend(below.id, 3), events: [['delegation.escalation_blocked', 'delegation', below.id]] },
        { answer: await extend(id, 4), events: [['delegation.extended', 'delegation', id]] },
      ];
    },
    reduceDelegation: async (scene) => {
      const { id } = await newRoot(scene);
      const reduce = (body: object) => scene.send('PATCH', `/v1/delegations/${id}`, body);
      return [
        { answer: await reduce({ can_redelegate: false }), events: [['delegation.reduced', 'delegation', id]] },
        { answer: await reduce(WIDER), events: [['delegation.escalation_blocked', 'delegation', id]] },
      ];
    },
    revokeDelegation: async (scene) => {
      const [root, peer] = [await newRoot(scene), await newPeer(scene)];
      const below = { parent_id: root.id, delegate_agent_id: peer };
      const { id } = await scene.make('POST', '/v1/delegations', below);
      const answer = await scene.send('POST', `/v1/delegations/${root.id}/revoke`, { reason });
      return [
        {
          answer,
          events: [
            ['delegation.revoked', 'delegation', root.id],
            ['delegation.revoked', 'delegation', id],
          ],
        },
      ];
    },
    delegate: async (scene) => {
      const [root, peer] = [await newRoot(scene), await newPeer(scene)];
      const { agent, token } = scene.places.ENFORCE;
      const by = { type: 'AGENT', id: agent.id };
      const hand = (more: object) =>
        scene.ask(token, 'POST', '/gateway/v1/delegations', { parent_id: root.id, delegate_agent_id: peer, ...more });
      const answer = await hand({});
      return [
        { answer, by, events: [['delegation.created', 'delegation', answer.json.id]] },
        { answer: await hand(WIDER), by, events: [['delegation.escalation_blocked', 'delegation', root.id]] },
      ];
    },
  },
} as const satisfies NounTests;
