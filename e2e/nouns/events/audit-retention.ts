import type { NounTests } from '../noun-tests.ts';

export const auditRetentionTests = {
  bodies: ({ made }) => ({
    updateAuditRetention: { keep_days: 365 + made, reason: 'so it is said' },
  }),
  recipes: {
    updateAuditRetention: async ({ send, tenant }) => [
      {
        answer: await send('PATCH', '/v1/audit-events/retention', { keep_days: 400, reason: 'as the law says' }),
        events: [['audit.retention_updated', 'organization', tenant.organization_id]],
      },
    ],
  },
} as const satisfies NounTests;
