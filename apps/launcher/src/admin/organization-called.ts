import type { Database } from '@svc/postgres/connection/connect.ts';
import { findOrganizations } from '@svc/postgres/tenancy/organization/find-organizations.ts';
import { LaunchFault } from '../faults/launch-fault.ts';

/** Finds the organization with an id or a name. */
export const findOrganizationByIdOrName = async (
  identity: Database,
  called: string,
): Promise<{ readonly id: string; readonly name: string }> => {
  const [found, ...more] = await findOrganizations(identity, called);
  if (!found) throw new LaunchFault(`There is no organization with the id or the name "${called}".`);
  if (more.length === 0) return found;
  const ids = [found, ...more].map(({ id }) => id).join(', ');
  throw new LaunchFault(`Several organizations have the name "${called}". Use an id (${ids}).`);
};
