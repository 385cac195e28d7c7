import type { Permission } from '@svc/contract/tables/permissions.ts';
import type { KnownCaller } from '@svc/http/calls/call.ts';
import type { PossibleVoter } from '@svc/operations/actions/approvals/judge-decidable.ts';
import { readPerson } from '@svc/operations/actions/approvals/take-vote.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';

type Asking = {
  readonly database: Database;
  readonly scope: TenantScope;
  readonly caller: KnownCaller;
  readonly lacks: (permissions: readonly Permission[]) => readonly Permission[];
  readonly now: Date;
};

/** The caller as a person who may vote. */
export const toPossibleVoter = async ({ database, scope, caller, lacks, now }: Asking): Promise<PossibleVoter> => {
  const voter = { type: caller.actor.type, id: await readPerson(database, scope, caller.actor) };
  return { scope, voter, holds: (permission) => lacks([permission]).length === 0, now };
};
