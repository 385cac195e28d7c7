import { pauseInEmergency, type StoppedAgent, suspendInEmergency } from '@svc/operations/incidents/emergency-stop.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { readDatabaseTime } from '@svc/postgres/connection/read-database-time.ts';
import { listEnvironments } from '@svc/postgres/tenancy/environments.ts';
import { createOperatorContext } from '../operator/operator-context.ts';
import type { BreakGlassCommand } from './read-command.ts';

export type StopReport = { readonly ok: boolean; readonly line: string };

const tell = (id: string, stopped: StoppedAgent): StopReport => {
  if (stopped === 'NOT_FOUND') return { ok: false, line: `${id}  there is no such thing in this organization` };
  if (typeof stopped === 'object') return { ok: true, line: `${id}  is ${stopped.left_as_it_was}, and left as it was` };
  return { ok: true, line: `${id}  ${stopped === 'PAUSED_BEFORE' ? 'was paused before' : `is ${stopped} now`}` };
};

/** Stops each item in a transaction of its own, so that one failure does not keep others running. */
export const stopAll = async (
  database: Database,
  organizationId: string,
  { environments, agents, reason }: BreakGlassCommand,
): Promise<readonly StopReport[]> => {
  const scope = { organization_id: organizationId };
  const named = [...environments, ...agents];
  const all =
    named.length > 0 ? named : (await readInTenant(database, scope, (tx) => listEnvironments(tx, organizationId))).map(({ id }) => id);
  const now = new Date(await readDatabaseTime(database));
  const stop = agents.length > 0 ? suspendInEmergency : pauseInEmergency;
  const told = await Promise.all(
    all.map(async (id): Promise<StopReport> => {
      try {
        return tell(id, await stop(database, createOperatorContext('break-glass', organizationId, now), id, reason));
      } catch (error) {
        return { ok: false, line: `${id}  is not stopped: ${error instanceof Error ? error.message : String(error)}` };
      }
    }),
  );
  return told.length > 0 ? told : [{ ok: true, line: 'This organization has no environment, so nothing runs in it.' }];
};
