import type { ChangingOperation, Recipes } from './play.ts';

/** Looking after the record itself. */
export const auditRecipes = {
  verifyAuditEvents: async ({ send, tenant }) => [
    {
      answer: await send('POST', '/v1/audit-events/verify', {}),
      events: [['audit.integrity_verified', 'organization', tenant.organization_id]],
    },
  ],
} as const satisfies Partial<Recipes<ChangingOperation>>;
