import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { asTrustProvider } from '@svc/operations/risk/trust/as-trust-provider.ts';
import { createTrustProvider as create } from '@svc/operations/risk/trust/create-trust-provider.ts';
import type { RiskDeps } from '../deps.ts';

const TAKEN = 'An active provider with this name already exists.';

export const createTrustProvider: Handler<Endpoints['createTrustProvider'], RiskDeps> = (call) => {
  const { body } = call;
  const id = call.newId('trust_provider');
  return call.change(
    async (change) => {
      const provider = await create(change, { ...asActing(call), body }, id);
      return isRefusal(provider) ? provider : asTrustProvider(provider);
    },
    { trust_providers_name_is_unique: () => call.refuse('ALREADY_EXISTS', TAKEN) },
  );
};
