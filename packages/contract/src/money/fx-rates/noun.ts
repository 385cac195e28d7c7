import type { NounFacts } from '../../tables/noun-facts.ts';

export const exchangeRateNouns = {
  exchange_rate: {
    idPrefix: 'fxr',
    table: 'exchange_rates',
    parameters: { rateId: { noun: 'exchange rate' } },
    eventScope: 'organization',
    events: {
      'fx_rate.created': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'CREATE'],
        when: 'A manual exchange rate was set.',
      },
      'fx_rate.deleted': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'DELETE'],
        when: 'A manual exchange rate was removed.',
      },
      'fx_rate.refreshed': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'Automatic exchange rates were fetched.',
      },
      'fx_rate.refresh_failed': {
        webhook: false,
        severity: 'warning',
        ocsf: ['API_ACTIVITY', 'UPDATE'],
        when: 'Automatic exchange rates could not be fetched.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
