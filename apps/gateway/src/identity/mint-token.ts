import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/refusal.ts';
import type { Handler } from '@svc/http/call.ts';
import type { GatewayDeps } from '../deps.ts';
import { redeemAssertion } from './redeem-assertion.ts';

export const mintToken: Handler<Endpoints['mintToken'], GatewayDeps> = async (call, deps) => {
  const redeemed = await redeemAssertion(deps, call.body, call);
  return isRefusal(redeemed) ? redeemed : { data: redeemed.grant };
};
