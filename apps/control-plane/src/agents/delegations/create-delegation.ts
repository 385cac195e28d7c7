import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readRequestedDelegation } from '@svc/operations/agents/delegations/delegation-ask.ts';
import { makeDelegation } from '@svc/operations/agents/delegations/make-delegation.ts';
import type { AgentsDeps } from '../deps.ts';
import { mayStillDelegate } from './permitted/may-still-delegate.ts';

export const createDelegation: Handler<Endpoints['createDelegation'], AgentsDeps> = (call) =>
  call.change(async (change) => {
    if (!(await mayStillDelegate(change.tx, call))) return call.refuse('PERMISSION_DENIED');
    const ask = await readRequestedDelegation(change.tx, call);
    if (isRefusal(ask)) return ask;
    const { scope, now, caller } = call;
    return await makeDelegation(change, { scope, ask, actor: caller.actor, now });
  });
