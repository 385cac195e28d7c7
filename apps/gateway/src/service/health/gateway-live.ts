import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../../deps.ts';

export const gatewayLive: Handler<Endpoints['gatewayLive'], GatewayDeps> = () => ({ status: 'ok', checks: { process: 'ok' } });
