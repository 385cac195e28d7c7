import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../../deps.ts';
import { presentAssertion } from './sign-in/present-assertion.ts';
import { redeemAssertion } from './sign-in/redeem-assertion.ts';

export const mintToken: Handler<Endpoints['mintToken'], GatewayDeps> = async (call, deps) => {
  const redeemed = await redeemAssertion(
    deps,
    call,
    presentAssertion(deps, call.body, { text: call.header('dpop'), path: '/gateway/v1/token' }),
  );
  return isRefusal(redeemed) ? redeemed : { data: redeemed.grant };
};
