import { insertRiskEvent } from '@svc/testing/records/insert-risk-event.ts';
import type { NounTests } from '../noun-tests.ts';

export const riskEventTests = {
  scopes: { risk_event: 'select organization_id, workspace_id, environment_id from risk_events where id = $1' },
  bodies: () => ({ acknowledgeRiskEvent: { verdict: 'EXPECTED' } }),
  recipes: {
    acknowledgeRiskEvent: async ({ planes, send, agent }) => {
      const { id } = await agent();
      const { riskEventId } = await insertRiskEvent(planes.database, id, 'recipe');
      const answer = await send('POST', `/v1/risk-events/${riskEventId}/acknowledge`, { verdict: 'FALSE_ALARM', mute_hours: 2 });
      return [{ answer, events: [['risk.acknowledged', 'risk_event', riskEventId]] }];
    },
  },
} as const satisfies NounTests;
