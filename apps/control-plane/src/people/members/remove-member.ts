import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { removeMember as remove } from '@svc/operations/people/members/remove-member.ts';
import type { PeopleDeps } from '../deps.ts';

export const removeMember: Handler<Endpoints['removeMember'], PeopleDeps> = ({ change, scope, caller, now, params }) =>
  change((each) => remove(each, { scope, actor: caller.actor, now }, params.memberId));
