import type { NounFacts } from '../../tables/noun-facts.ts';

export const apiKeyNouns = {
  api_key: {
    idPrefix: 'apk',
    table: 'api_keys',
    parameters: { apiKeyId: { noun: 'API key' } },
    eventScope: 'workspace column',
    events: {
      'apikey.created': { webhook: false, severity: 'info', ocsf: ['ENTITY_MANAGEMENT', 'CREATE'], when: 'An API key was created.' },
      'apikey.revoked': { webhook: false, severity: 'info', ocsf: ['ENTITY_MANAGEMENT', 'DELETE'], when: 'An API key was revoked.' },
    },
  },
} as const satisfies Record<string, NounFacts>;
