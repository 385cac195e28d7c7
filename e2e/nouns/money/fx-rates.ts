import type { NounTests } from '../noun-tests.ts';
import { getWholeOrganization } from '../scope-sql.ts';

const newRate = { base_currency: 'GBP', quote_currency: 'USD', rate: '1.3' };

export const fxRateTests = {
  scopes: { exchange_rate: getWholeOrganization('exchange_rates') },
  bodies: () => ({
    createExchangeRate: { base_currency: 'EUR', quote_currency: 'USD', rate: '1.1' },
  }),
  recipes: {
    createExchangeRate: async ({ send }) => {
      const answer = await send('POST', '/v1/fx-rates', newRate);
      return [{ answer, events: [['fx_rate.created', 'exchange_rate', answer.json.id]] }];
    },
    deleteExchangeRate: async ({ make, send }) => {
      const { id } = await make('POST', '/v1/fx-rates', newRate);
      return [{ answer: await send('DELETE', `/v1/fx-rates/${id}`), events: [['fx_rate.deleted', 'exchange_rate', id]] }];
    },
    refreshExchangeRates: async ({ send, provider, tenant }) => {
      const about = ['organization', tenant.organization_id] as const;
      provider.answer((base) => ({ json: { base, date: new Date().toISOString().slice(0, 10), rates: { JPY: 150.5 } } }));
      const fetched = await send('POST', '/v1/fx-rates/refresh');
      provider.answer({ json: { error: 'closed' }, status: 500 });
      const failed = await send('POST', '/v1/fx-rates/refresh');
      return [
        { answer: fetched, events: [['fx_rate.refreshed', ...about]] },
        { answer: failed, events: [['fx_rate.refresh_failed', ...about]] },
      ];
    },
  },
} as const satisfies NounTests;
