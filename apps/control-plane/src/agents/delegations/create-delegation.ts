import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { askOf } from '@svc/operations/agents/delegations/ask-of.ts';
import { makeDelegation } from '@svc/operations/agents/delegations/make-delegation.ts';
import type { ControlDeps } from '../../deps.ts';

export const createDelegation: Handler<Endpoints['createDelegation'], ControlDeps> = (call) =>
  call.change(async (change) => {
    const ask = await askOf(change.tx, call);
    if (isRefusal(ask)) return ask;
    const { scope, now, caller } = call;
    return await makeDelegation(change, { scope, ask, actor: caller.actor, now });
  });
