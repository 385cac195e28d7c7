import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { readAssertion } from '@svc/keyring/tokens/read-assertion.ts';
import type { GatewayDeps } from '../../../deps.ts';
import type { Presented } from './exchange-assertion.ts';

/** Reads the assertion of a body, for a token for the whole gateway. */
export const presentAssertion = (
  { tokenScope }: GatewayDeps,
  body: EndpointBody<Endpoints['mintToken']>,
  proof: Presented['proof'],
): Presented => ({
  agent_id: body.agent_id,
  read: readAssertion(body.assertion),
  sdk: body.sdk,
  audiences: [tokenScope.audience],
  resource: null,
  proof,
});
