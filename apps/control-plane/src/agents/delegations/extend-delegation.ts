import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { extendDelegation as extend } from '@svc/operations/agents/delegations/extend-delegation.ts';
import type { AgentsDeps } from '../deps.ts';
import { mayStillDelegate } from './permitted/may-still-delegate.ts';

/** Moves the expiry of a delegation to a later time. */
export const extendDelegation: Handler<Endpoints['extendDelegation'], AgentsDeps> = (call) =>
  call.change(async (change) => {
    const { scope, now, caller, body: asked } = call;
    if (!(await mayStillDelegate(change.tx, call))) return call.refuse('PERMISSION_DENIED');
    return await extend(change, { scope, delegationId: call.params.delegationId, asked, actor: caller.actor, now });
  });
