import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../deps.ts';
import { gatewayLive } from './health/gateway-live.ts';
import { gatewayReady } from './health/gateway-ready.ts';
import { gatewayDocs } from './info/gateway-docs.ts';
import { gatewayErrorsPage } from './info/gateway-errors-page.ts';
import { gatewayOpenapi } from './info/gateway-openapi.ts';
import { gatewayRoot } from './info/gateway-root.ts';

/** One handler per row of this area of the gateway; one that is missing, or of another area, does not compile. */
export const serviceHandlers: AreaHandlers<'gateway', 'service', GatewayDeps> = {
  gatewayLive,
  gatewayReady,
  gatewayDocs,
  gatewayErrorsPage,
  gatewayOpenapi,
  gatewayRoot,
};
