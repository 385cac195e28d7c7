import { liftNetworksByOperator } from '@svc/operations/tenancy/organization/lift-networks.ts';
import { readDatabaseTime } from '@svc/postgres/connection/read-database-time.ts';
import type { DatabaseAccess } from '../break-glass/reach-database.ts';
import { createOperatorContext } from '../operator/operator-context.ts';
import { findOrganizationByIdOrName } from './organization-called.ts';
import type { AdminCommand } from './read-command.ts';

type Lifting = Extract<AdminCommand, { readonly verb: 'lift-networks' }>;

/** Removes the allowed networks of one organization; returns the lines to show. */
export const liftNetworks = async ({ app, identity }: DatabaseAccess, { organization, reason }: Lifting): Promise<readonly string[]> => {
  const found = await findOrganizationByIdOrName(identity, organization);
  const now = new Date(await readDatabaseTime(app));
  const lifted = await liftNetworksByOperator(app, createOperatorContext('admin', found.id, now), reason);
  return [
    `${found.name} (${found.id})`,
    lifted.length === 0
      ? '  The organization has no network restrictions.'
      : `  Network restrictions removed. Before: ${lifted.join(', ')}`,
    '  API keys with their own network restrictions are not affected.',
  ];
};
