import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { findNamesake } from '@svc/postgres/agents/agents/find-namesake.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { readInTenant, type TenantScope } from '@svc/postgres/connection/in-tenant.ts';

/** A job records expired agents every two seconds. */
const FREE_IN_SECONDS = 5;

/** Returns why a name is not available: another agent has it, or had it until its end, and then when it becomes available. */
export const findNameRefusal = async (
  database: Database,
  scope: TenantScope,
  named: { readonly environment_id: string; readonly name: string },
): Promise<Refusal<'ALREADY_EXISTS'>> => {
  const namesake = await readInTenant(database, scope, (tx) => findNamesake(tx, scope.organization_id, named));
  if (namesake?.status !== 'EXPIRED') return buildRefusal('ALREADY_EXISTS', 'An agent with this name already exists in this environment.');
  const { expires_at } = namesake;
  const free = `Its name becomes available within about ${FREE_IN_SECONDS} seconds. Try again then.`;
  const details = { expired_at: expires_at, retry_after_seconds: FREE_IN_SECONDS };
  return buildRefusal('ALREADY_EXISTS', `The agent with this name expired at ${expires_at}. ${free}`, details);
};
