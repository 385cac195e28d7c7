import { sanitizeText } from '@svc/domain/actions/approvals/sanitize-text.ts';
import type { KnownCaller } from '@svc/http/calls/call.ts';
import { type Ballot, readPerson } from '@svc/operations/actions/approvals/take-vote.ts';
import { hasFreshStepUp } from '@svc/operations/people/auth/step-up.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import type { TenantScope } from '@svc/postgres/connection/in-tenant.ts';

type Voting = {
  readonly database: Database;
  readonly scope: TenantScope;
  readonly caller: KnownCaller;
  readonly params: { readonly approvalId: string };
  readonly now: Date;
};

/** Returns the caller's vote. `comment` is their comment as other users see it. */
export const readVote = async ({ database, scope, caller, params, now }: Voting, comment?: string): Promise<Ballot> => {
  const { approvalId } = params;
  const { type } = caller.actor;
  const id = await readPerson(database, scope, caller.actor);
  const voter = { type, id, stepped_up: hasFreshStepUp(caller, now) };
  const said = comment === undefined ? null : sanitizeText(comment);
  return { scope, approvalId, voter, now, comment: said };
};
