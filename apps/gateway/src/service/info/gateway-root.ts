import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { newRootPage } from '@svc/http/documents/root-page.ts';
import type { GatewayDeps } from '../../deps.ts';

const page = newRootPage('gateway');

export const gatewayRoot: Handler<Endpoints['gatewayRoot'], GatewayDeps> = (call, deps) => page(call, deps.settings.baseUrl);
