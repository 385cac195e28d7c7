import type { NounTests } from '../noun-tests.ts';

export const auditLogTests = {
  words: { tileLevel: '0', tile: '000.p', tileNext: '1', tileThird: '000', tileWidth: '1' },
  bodies: () => ({
    verifyAuditEvents: {},
  }),
  recipes: {
    verifyAuditEvents: async ({ send, tenant }) => [
      {
        answer: await send('POST', '/v1/audit-events/verify', {}),
        events: [['audit.integrity_verified', 'organization', tenant.organization_id]],
      },
    ],
  },
} as const satisfies NounTests;
