import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../deps.ts';
import { gatewayLive } from './health/gateway-live.ts';
import { gatewayReady } from './health/gateway-ready.ts';
import { gatewayDocs } from './info/gateway-docs.ts';
import { gatewayErrorsPage } from './info/gateway-errors-page.ts';
import { gatewayOpenapi } from './info/gateway-openapi.ts';
import { gatewayRoot } from './info/gateway-root.ts';

/** Handlers of this area, one per row. A missing handler, or one of another area, does not compile. */
export const serviceHandlers: AreaHandlers<'gateway', 'service', GatewayDeps> = {
  gatewayLive,
  gatewayReady,
  gatewayDocs,
  gatewayErrorsPage,
  gatewayOpenapi,
  gatewayRoot,
};
