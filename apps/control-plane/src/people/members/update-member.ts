import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { changeMember } from '@svc/operations/people/members/change-member.ts';
import type { PeopleDeps } from '../deps.ts';

export const updateMember: Handler<Endpoints['updateMember'], PeopleDeps> = ({ change, scope, caller, now, params, body }) =>
  change((each) => changeMember(each, { scope, actor: caller.actor, now }, params.memberId, body));
