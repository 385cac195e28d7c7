import type { NounFacts } from '../../tables/noun-facts.ts';

export const incidentRuleNouns = {
  incident_rule: {
    idPrefix: 'irl',
    table: 'incident_rules',
    parameters: { incidentRuleId: { noun: 'incident rule' } },
    eventScope: 'columns',
  },
} as const satisfies Record<string, NounFacts>;
