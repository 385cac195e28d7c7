import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findMember, toMemberView } from '@svc/postgres/people/members/members.ts';
import type { PeopleDeps } from '../deps.ts';

export const getMember: Handler<Endpoints['getMember'], PeopleDeps> = ({ database, scope, params, refuse }) =>
  readInTenant(database, scope, async (tx) => {
    const member = await findMember(tx, scope, params.memberId);
    return member ? toMemberView(member) : refuse('NOT_FOUND');
  });
