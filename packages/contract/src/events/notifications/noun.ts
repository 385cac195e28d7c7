import type { NounFacts } from '../../tables/noun-facts.ts';

export const notificationNouns = {
  notification: {
    idPrefix: 'ntf',
    table: 'notifications',
    parameters: { notificationId: { noun: 'notification' } },
    eventScope: 'columns',
    events: {
      'notification.created': {
        webhook: false,
        severity: 'info',
        ocsf: ['API_ACTIVITY', 'CREATE'],
        when: 'A notification was created for a person.',
      },
    },
  },
} as const satisfies Record<string, NounFacts>;
