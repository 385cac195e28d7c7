import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import type { NounTests } from '../noun-tests.ts';
import { getPassport } from './agents.ts';

const reason = 'test';

/** An id that other rows do not use. */
const NOBODY = 'agt_00000000000000000000000000';

export const fleetTests = {
  bodies: () => ({
    bulkChangeAgents: { agent_ids: [NOBODY], operation: 'suspend', reason },
    previewBulkChange: { agent_ids: [NOBODY], operation: 'suspend' },
  }),
  recipes: {
    bulkChangeAgents: async (scene) => {
      const agent = await scene.agent();
      const passport = ['passport.revoked', 'passport', await getPassport(scene, agent.id)] as const;
      const { approvalId } = await insertHeldAction(scene.database, scene.tenant, {}, { agent_id: agent.id });
      const standing = await scene.make('POST', '/v1/delegations', { delegate_agent_id: agent.id });
      const send = (operation: string, { id }: { readonly id: string }) =>
        scene.send('POST', '/v1/agents/bulk', { agent_ids: [id], operation, reason });
      const [paused, resumed, suspended] = [await scene.agent(), await scene.agent(), await scene.agent()];
      await scene.make('POST', `/v1/agents/${resumed.id}/pause`, {});
      return [
        { answer: await send('pause', paused), events: [['agent.paused', 'agent', paused.id]] },
        { answer: await send('resume', resumed), events: [['agent.resumed', 'agent', resumed.id]] },
        { answer: await send('suspend', suspended), events: [['agent.suspended', 'agent', suspended.id]] },
        {
          answer: await send('revoke', agent),
          events: [
            ['agent.revoked', 'agent', agent.id],
            passport,
            ['approval.cancelled', 'approval', approvalId],
            ['delegation.revoked', 'delegation', standing.id],
          ],
        },
      ];
    },
  },
} as const satisfies NounTests;
