import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { answerReady } from '@svc/http/plane/readiness.ts';
import type { GatewayDeps } from '../../deps.ts';

export const gatewayReady: Handler<Endpoints['gatewayReady'], GatewayDeps> = (_call, { readiness, clock }) => answerReady(readiness, clock);
