import type { NounFacts } from '../../tables/noun-facts.ts';

export const emergencyNouns = {
  emergency: {
    words: { control: 'emergency control' },
    addedEvents: {
      'emergency.drill_completed': {
        severity: 'info',
        ocsf: ['API_ACTIVITY', 'OTHER'],
        when: 'An emergency control was practised; nothing was changed.',
      },
      'emergency.access_updated': {
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'Emergency access was requested, denied or reviewed, or its rule was changed.',
      },
    },
    events: {
      'security.emergency_action_executed': {
        webhook: true,
        severity: 'critical',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'An emergency control was executed.',
      },
      'security.break_glass_granted': {
        webhook: false,
        severity: 'critical',
        ocsf: ['ENTITY_MANAGEMENT', 'CREATE'],
        when: 'Emergency access was granted for a short time.',
      },
      'security.break_glass_expired': {
        webhook: false,
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'DELETE'],
        when: 'Emergency access expired.',
      },
      'security.destination_blocked': {
        webhook: false,
        severity: 'warning',
        ocsf: ['DETECTION_FINDING', 'CREATE'],
        when: 'A call to a destination that is not permitted, or the start of a workflow that could make one, was blocked.',
      },
    },
  },
  blocked_destination: {
    idPrefix: 'blk',
    table: 'blocked_destinations',
    parameters: { blockId: { noun: 'blocked destination' } },
    eventScope: 'organization',
  },
  break_glass_grant: {
    idPrefix: 'bgr',
    table: 'break_glass_grants',
    parameters: { breakGlassId: { noun: 'break-glass grant' } },
    eventScope: 'organization',
  },
  emergency_execution: { idPrefix: 'emx' },
} as const satisfies Record<string, NounFacts>;
