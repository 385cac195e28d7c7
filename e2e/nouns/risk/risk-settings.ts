import type { NounTests } from '../noun-tests.ts';

const reason = 'test';

export const riskSettingsTests = {
  bodies: () => ({ updateRiskSettings: { signals: { new_destination: 30 }, reason } }),
  recipes: {
    updateRiskSettings: async ({ make, send, name, tenant }) => {
      const body = { workspace_id: tenant.workspace_id, name: name('Environment'), type: 'STAGING' };
      const { id } = await make('POST', '/v1/environments', body);
      const answer = await send('PUT', `/v1/environments/${id}/risk-settings`, { signals: { new_destination: 30 }, reason });
      return [{ answer, events: [['risk.configuration_updated', 'environment', id]] }];
    },
  },
} as const satisfies NounTests;
