import type { ChangingOperation, Recipes } from './play.ts';
import type { Scene } from './scene.ts';

const savedBy = async ({ send, name }: Scene): Promise<string> =>
  (await send('POST', '/v1/audit-events/searches', { name: name('search'), filter: { q: 'x' } })).json.id;

/** Looking after the record itself. */
export const auditRecipes = {
  verifyAuditEvents: async ({ send, tenant }) => [
    {
      answer: await send('POST', '/v1/audit-events/verify', {}),
      events: [['audit.integrity_verified', 'organization', tenant.organization_id]],
    },
  ],
  updateAuditRetention: async ({ send, tenant }) => [
    {
      answer: await send('PATCH', '/v1/audit-events/retention', { keep_days: 400, reason: 'as the law says' }),
      events: [['audit.retention_updated', 'organization', tenant.organization_id]],
    },
  ],
  exportAuditEvents: async ({ send, tenant, database }) => {
    await database.query(
      "insert into audit_trees (organization_id, size, root_hash, edge, checkpoint) values ($1, 0, '\\x', '\\x', 'note') on conflict do nothing",
      [tenant.organization_id],
    );
    const told = ['audit.exported', 'organization', tenant.organization_id] as const;
    return [{ answer: await send('POST', '/v1/audit-events/export', {}), events: [told, told] }];
  },
  // What somebody saves to look at is no state of the organization.
  createAuditSearch: async ({ send, name }) => [
    { answer: await send('POST', '/v1/audit-events/searches', { name: name('search'), filter: { q: 'x' } }), events: [] },
  ],
  updateAuditSearch: async (scene) => [
    { answer: await scene.send('PATCH', `/v1/audit-events/searches/${await savedBy(scene)}`, { shared: true }), events: [] },
  ],
  deleteAuditSearch: async (scene) => [
    { answer: await scene.send('DELETE', `/v1/audit-events/searches/${await savedBy(scene)}`), events: [] },
  ],
} as const satisfies Partial<Recipes<ChangingOperation>>;
