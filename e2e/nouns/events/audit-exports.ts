import type { NounTests } from '../noun-tests.ts';

export const auditExportTests = {
  bodies: () => ({
    exportAuditEvents: { format: 'CSV' },
  }),
  recipes: {
    exportAuditEvents: async ({ send, tenant, database }) => {
      await database.query(
        "insert into audit_trees (organization_id, size, root_hash, edge, checkpoint) values ($1, 0, '\\x', '\\x', 'note') on conflict do nothing",
        [tenant.organization_id],
      );
      const told = ['audit.exported', 'organization', tenant.organization_id] as const;
      return [{ answer: await send('POST', '/v1/audit-events/export', {}), events: [told, told] }];
    },
  },
} as const satisfies NounTests;
