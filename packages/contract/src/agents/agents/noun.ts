import type { NounFacts } from '../../tables/noun-facts.ts';

export const agentNouns = {
  agent: {
    idPrefix: 'agt',
    table: 'agents',
    parameters: { agentId: { noun: 'agent' } },
    words: { capability: 'capability' },
    eventScope: 'columns',
    events: {
      'agent.created': { webhook: true, severity: 'info', ocsf: ['ENTITY_MANAGEMENT', 'CREATE'], when: 'An agent was registered.' },
      'agent.updated': {
        webhook: true,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'Metadata of an agent was changed.',
      },
      'agent.paused': { webhook: true, severity: 'warning', ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'], when: 'An agent was paused.' },
      'agent.resumed': { webhook: true, severity: 'info', ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'], when: 'An agent was resumed.' },
      'agent.suspended': {
        webhook: true,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'An agent was suspended for security.',
      },
      'agent.revoked': {
        webhook: true,
        severity: 'critical',
        ocsf: ['ENTITY_MANAGEMENT', 'DELETE'],
        when: 'The identity of an agent was revoked permanently.',
      },
      'agent.decommissioned': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'DELETE'],
        when: 'An agent was decommissioned permanently.',
      },
      'agent.expired': { webhook: false, severity: 'warning', ocsf: ['ENTITY_MANAGEMENT', 'DELETE'], when: 'An agent passed its expiry.' },
      'agent.isolated': {
        webhook: false,
        severity: 'critical',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'An emergency control isolated an agent.',
      },
      'agent.capability_granted': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'A capability was granted to an agent.',
      },
      'agent.capability_revoked': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'A capability was withdrawn from an agent.',
      },
      'agent.identity_rotated': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'The key of an agent was replaced and its sessions ended.',
      },
    },
  },
  passport: {
    idPrefix: 'psp',
    eventScope: 'given',
    events: {
      'passport.issued': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'CREATE'],
        when: 'A passport was issued to an agent.',
      },
      'passport.verified': { webhook: false, severity: 'info', ocsf: ['API_ACTIVITY', 'READ'], when: 'A passport was verified.' },
      'passport.rotated': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'A passport was replaced by a new version.',
      },
      'passport.revoked': { webhook: false, severity: 'warning', ocsf: ['ENTITY_MANAGEMENT', 'DELETE'], when: 'A passport was revoked.' },
      'passport.expired': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'DELETE'],
        when: 'A passport passed its expiry.',
      },
      'passport.exported': { webhook: false, severity: 'info', ocsf: ['API_ACTIVITY', 'READ'], when: 'A passport was exported.' },
    },
  },
  registry_listing: {
    events: {
      'registry.listing_published': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'CREATE'],
        when: 'The A2A card of an agent was published.',
      },
      'registry.listing_unpublished': {
        webhook: false,
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'DELETE'],
        when: 'The published A2A card of an agent was withdrawn.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
