import type { NounFacts } from '../../tables/noun-facts.ts';

export const policyNouns = {
  policy: {
    idPrefix: 'pol',
    table: 'policies',
    parameters: { policyId: { noun: 'policy' } },
    eventScope: 'given',
    events: {
      'policy.created': { webhook: true, severity: 'info', ocsf: ['ENTITY_MANAGEMENT', 'CREATE'], when: 'A policy was created.' },
      'policy.updated': {
        webhook: true,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'A draft version of a policy was saved.',
      },
      'policy.deleted': { webhook: false, severity: 'warning', ocsf: ['ENTITY_MANAGEMENT', 'DELETE'], when: 'A policy was deleted.' },
      'policy.validated': {
        webhook: false,
        severity: 'info',
        ocsf: ['API_ACTIVITY', 'READ'],
        when: 'A version of a policy was validated for activation.',
      },
      'policy.simulated': {
        webhook: false,
        severity: 'info',
        ocsf: ['API_ACTIVITY', 'READ'],
        when: 'A simulation was run and saved, with its request and decision.',
      },
      'policy.activated': {
        webhook: true,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'A version of a policy was activated.',
      },
      'policy.suspended': { webhook: false, severity: 'critical', ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'], when: 'A policy was suspended.' },
      'policy.rolled_back': {
        webhook: true,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'The content of an earlier version was activated as a new version.',
      },
      'policy.bound': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'A policy was bound to a scope.',
      },
      'policy.unbound': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'A policy was unbound from a scope.',
      },
      'policy.test_run': {
        webhook: false,
        severity: 'info',
        ocsf: ['API_ACTIVITY', 'READ'],
        when: 'The recorded tests of a policy were run for an activation.',
      },
    },
  },
  policy_version: {
    idPrefix: 'pvr',
  },
  policy_test_case: {
    idPrefix: 'ptc',
  },
  policy_binding: {
    idPrefix: 'bnd',
    table: 'policy_bindings',
    parameters: { bindingId: { noun: 'binding' } },
  },
} as const satisfies Record<string, NounFacts>;
