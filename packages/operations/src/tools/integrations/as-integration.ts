import { findApplication } from '@svc/catalogue/read-applications.ts';
import type { Integration } from '@svc/contract/tools/integrations.ts';
import type { WholeIntegration } from '@svc/postgres/tools/integrations/integrations.ts';

/** An integration as the API shows it. */
export const asIntegration = (row: WholeIntegration): Integration => {
  const { organization_id: _, created_at, updated_at, ...shown } = row;
  const newest = findApplication(row.application)?.version ?? row.entry_version;
  return {
    ...shown,
    update_available: row.status === 'ACTIVE' && newest > row.entry_version,
    created_at: String(created_at),
    updated_at: String(updated_at),
  };
};
