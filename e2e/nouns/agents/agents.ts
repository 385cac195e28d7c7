import { newKeyPair } from '@svc/testing/agents/agent.ts';
import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import type { NounTests } from '../noun-tests.ts';
import { newApprovedRequest, newTool } from '../scene/approved-request.ts';
import type { EventKey } from '../scene/play.ts';
import type { NounScene } from '../scene/scene.ts';
import { getAgentScope, ownColumns } from '../scope-sql.ts';

const reason = 'test';
/** A passport that was never signed. */
const PASSPORT = 'x.y.z';

export const getPassport = async ({ database }: NounScene, agentId: string): Promise<string> =>
  (await database.query('select id from passports where agent_id = $1 order by version desc limit 1', [agentId])).rows[0].id;

/** A card that a partner can read. */
const PUBLISHED = {
  description: 'Books rooms.',
  skills: [{ id: 'book', name: 'Book a room', description: 'Books a room for a day.', tags: ['rooms'] }],
};

/** Creates an agent with one of each resource that ends with it. */
const newEntangled = async (scene: NounScene) => {
  const { places, make, ask } = scene;
  const { environment_id, agent, token } = places.SIMULATE;
  await make('POST', `/v1/environments/${environment_id}/gateway-mode`, { mode: 'ENFORCE' });
  const held = await ask(token, 'POST', '/gateway/v1/actions', { tool: 'held' });
  const standing = await make('POST', '/v1/delegations', { delegate_agent_id: agent.id });
  return { agent, approvalId: held.json.error.details.approval_id, standing };
};

export const agentTests = {
  words: { capability: 'x' },
  scopes: { agent: ownColumns('agents'), passport: getAgentScope('passports', 'agent_id') },
  bodies: ({ made, tenant }) => ({
    createAgent: { name: `Agent ${made}`, workspace_id: tenant.workspace_id, environment_id: tenant.environment_id, capabilities: [] },
    updateAgent: { description: `${made}` },
    pauseAgent: {},
    resumeAgent: {},
    suspendAgent: { reason },
    isolateAgent: { reason },
    decommissionAgent: { reason },
    revokeAgent: { reason },
    rotateAgentCredentials: { public_key: newKeyPair().publicKey },
    renewPassport: { reason },
    verifyPassport: { passport: PASSPORT },
    exportPassport: { reason },
    publishAgent: PUBLISHED,
    unpublishAgent: { reason },
    grantCapability: { capability: `capability.${made}` },
  }),
  recipes: {
    createAgent: async (scene) => {
      const { send, name, tenant } = scene;
      const { workspace_id, environment_id } = tenant;
      const answer = await send('POST', '/v1/agents', { name: name('Agent'), workspace_id, environment_id, capabilities: ['a', 'b'] });
      const { id } = answer.json.data.agent;
      const granted: EventKey<'agent.capability_granted'> = ['agent.capability_granted', 'agent', id];
      const passport = ['passport.issued', 'passport', await getPassport(scene, id)] as const;
      return [{ answer, events: [['agent.created', 'agent', id], granted, granted, passport] }];
    },
    updateAgent: async (scene) => {
      const { id } = await scene.agent();
      const answer = await scene.send('PATCH', `/v1/agents/${id}`, { name: scene.name('Renamed') });
      const passport = ['passport.issued', 'passport', await getPassport(scene, id)] as const;
      return [{ answer, events: [['agent.updated', 'agent', id], passport] }];
    },
    pauseAgent: async ({ agent, send }) => {
      const { id } = await agent();
      return [{ answer: await send('POST', `/v1/agents/${id}/pause`, {}), events: [['agent.paused', 'agent', id]] }];
    },
    resumeAgent: async ({ agent, make, send, database, tenant }) => {
      const { id } = await agent();
      await make('POST', `/v1/agents/${id}/suspend`, { reason });
      const { approvalId } = await insertHeldAction(database, tenant, {}, { agent_id: id });
      const answer = await send('POST', `/v1/agents/${id}/resume`, { reason });
      return [
        {
          answer,
          events: [
            ['agent.resumed', 'agent', id],
            ['approval.cancelled', 'approval', approvalId],
          ],
        },
      ];
    },
    suspendAgent: async ({ agent, send }) => {
      const { id } = await agent();
      return [{ answer: await send('POST', `/v1/agents/${id}/suspend`, { reason }), events: [['agent.suspended', 'agent', id]] }];
    },
    isolateAgent: async ({ agent, send }) => {
      const { id } = await agent();
      return [
        {
          answer: await send('POST', `/v1/agents/${id}/isolate`, { reason }),
          events: [
            ['security.emergency_action_executed', 'agent', id],
            ['agent.isolated', 'agent', id],
          ],
        },
      ];
    },
    decommissionAgent: async ({ agent, make, send, database, tenant }) => {
      const { id } = await agent();
      await make('POST', `/v1/agents/${id}/pause`, {});
      const { approvalId } = await insertHeldAction(database, tenant, {}, { agent_id: id });
      return [
        {
          answer: await send('POST', `/v1/agents/${id}/decommission`, { reason }),
          events: [
            ['agent.decommissioned', 'agent', id],
            ['approval.cancelled', 'approval', approvalId],
          ],
        },
      ];
    },
    revokeAgent: async (scene) => {
      const { agent, approvalId, standing } = await newEntangled(scene);
      const passport = ['passport.revoked', 'passport', await getPassport(scene, agent.id)] as const;
      const answer = await scene.send('POST', `/v1/agents/${agent.id}/revoke`, { reason });
      return [
        {
          answer,
          events: [
            ['agent.revoked', 'agent', agent.id],
            passport,
            ['approval.cancelled', 'approval', approvalId],
            ['delegation.revoked', 'delegation', standing.id],
          ],
        },
      ];
    },
    rotateAgentCredentials: async (scene) => {
      const { id } = await scene.agent();
      const tool = await newTool(scene);
      const approvalId = await newApprovedRequest(scene, id, tool.id);
      const answer = await scene.send('POST', `/v1/agents/${id}/rotate-credentials`, { public_key: newKeyPair().publicKey });
      const passport = ['passport.rotated', 'passport', await getPassport(scene, id)] as const;
      const withdrawn = ['approval.cancelled', 'approval', approvalId] as const;
      return [{ answer, events: [['agent.identity_rotated', 'agent', id], passport, withdrawn] }];
    },
    renewPassport: async (scene) => {
      const { id } = await scene.agent();
      const answer = await scene.send('POST', `/v1/agents/${id}/passport/renew`);
      return [{ answer, events: [['passport.issued', 'passport', await getPassport(scene, id)]] }];
    },
    verifyPassport: async (scene) => {
      const { id } = await scene.agent();
      const { token } = await scene.make('GET', `/v1/agents/${id}/passport`);
      const answer = await scene.send('POST', '/v1/passports/verify', { passport: token });
      return [{ answer, events: [['passport.verified', 'passport', await getPassport(scene, id)]] }];
    },
    publishAgent: async ({ agent, send }) => {
      const { id } = await agent();
      const answer = await send('POST', `/v1/agents/${id}/publish`, PUBLISHED);
      return [{ answer, events: [['registry.listing_published', 'agent', id]] }];
    },
    unpublishAgent: async ({ agent, make, send }) => {
      const { id } = await agent();
      await make('POST', `/v1/agents/${id}/publish`, PUBLISHED);
      const answer = await send('POST', `/v1/agents/${id}/unpublish`, { reason });
      return [{ answer, events: [['registry.listing_unpublished', 'agent', id]] }];
    },
    exportPassport: async (scene) => {
      const { id } = await scene.agent();
      const answer = await scene.send('POST', `/v1/agents/${id}/passport/export`);
      return [{ answer, events: [['passport.exported', 'passport', await getPassport(scene, id)]] }];
    },
    grantCapability: async (scene) => {
      const { id } = await scene.agent();
      const tool = await newTool(scene);
      const approvalId = await newApprovedRequest(scene, id, tool.id);
      const answer = await scene.send('POST', `/v1/agents/${id}/capabilities`, { capability: 'more' });
      const passport = ['passport.issued', 'passport', await getPassport(scene, id)] as const;
      const cancelled = ['approval.cancelled', 'approval', approvalId] as const;
      return [{ answer, events: [['agent.capability_granted', 'agent', id], passport, cancelled] }];
    },
    revokeCapability: async (scene) => {
      const { id } = await scene.agent();
      const answer = await scene.send('DELETE', `/v1/agents/${id}/capabilities/work`);
      const passport = ['passport.issued', 'passport', await getPassport(scene, id)] as const;
      return [{ answer, events: [['agent.capability_revoked', 'agent', id], passport] }];
    },
  },
} as const satisfies NounTests;
