import type { NounFacts } from '../../tables/noun-facts.ts';

export const notificationChannelNouns = {
  notification_channel: {
    idPrefix: 'nch',
    table: 'notification_channels',
    parameters: { channelId: { noun: 'notification channel' } },
    eventScope: 'columns',
    addedEvents: {
      'notification_channel.created': {
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'CREATE'],
        when: 'A notification channel was created.',
      },
      'notification_channel.updated': {
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'A notification channel was changed or tested.',
      },
      'notification_channel.deleted': {
        severity: 'info',
        ocsf: ['ENTITY_MANAGEMENT', 'DELETE'],
        when: 'A notification channel was deleted.',
      },
      'notification_channel.disabled': {
        severity: 'warning',
        ocsf: ['ENTITY_MANAGEMENT', 'UPDATE'],
        when: 'A notification channel was disabled automatically.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
