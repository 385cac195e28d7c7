import type { NounFacts } from '../../tables/noun-facts.ts';

export const roleNouns = {
  role: {
    idPrefix: 'rol',
    table: 'roles',
    parameters: { roleId: { noun: 'role' } },
    eventScope: 'organization',
    events: {
      'role.created': { webhook: false, severity: 'info', ocsf: ['ENTITY_MANAGEMENT', 'CREATE'], when: 'A custom role was created.' },
      'role.updated': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'The permissions of a custom role were changed.',
      },
      'role.deleted': { webhook: false, severity: 'warning', ocsf: ['ENTITY_MANAGEMENT', 'DELETE'], when: 'A custom role was deleted.' },
    },
  },
} as const satisfies Record<string, NounFacts>;
