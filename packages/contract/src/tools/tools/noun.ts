import type { NounFacts } from '../../tables/noun-facts.ts';

export const toolNouns = {
  tool: {
    idPrefix: 'tool',
    table: 'tools',
    parameters: { toolId: { noun: 'tool' } },
    words: { mapping: 'mapping' },
    eventScope: 'columns',
    events: {
      'tool.created': { webhook: false, severity: 'info', ocsf: ['ENTITY_MANAGEMENT', 'CREATE'], when: 'A tool was registered.' },
      'tool.updated': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'A tool was changed, or an agent authorized for it.',
      },
      'tool.disabled': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'A tool was disabled for every agent.',
      },
      'tool.enabled': { webhook: false, severity: 'info', ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'], when: 'A disabled tool was enabled.' },
      'tool.restricted': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'The destinations or agents of a tool were narrowed, or the authorization of an agent for it was withdrawn.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
