import type { Endpoints } from '@svc/contract/endpoints.ts';
import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { transferOwnership as transfer } from '@svc/operations/people/members/transfer-ownership.ts';
import type { PeopleDeps } from '../deps.ts';

export const transferOwnership: Handler<Endpoints['transferOwnership'], PeopleDeps> = ({ change, scope, caller, now, params, body }) =>
  change((each) => transfer(each, { scope, actor: caller.actor, now }, params.memberId, body?.role_id ?? getBuiltInRole('admin').id));
