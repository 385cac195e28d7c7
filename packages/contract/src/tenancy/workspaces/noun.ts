import type { NounFacts } from '../../tables/noun-facts.ts';

export const workspaceNouns = {
  workspace: {
    idPrefix: 'wsp',
    table: 'workspaces',
    parameters: { workspaceId: { noun: 'workspace' } },
    eventScope: 'workspace',
    events: {
      'workspace.created': { webhook: false, severity: 'info', ocsf: ['ENTITY_MANAGEMENT', 'CREATE'], when: 'A workspace was created.' },
      'workspace.updated': { webhook: false, severity: 'info', ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'], when: 'A workspace was changed.' },
    },
  },
} as const satisfies Record<string, NounFacts>;
