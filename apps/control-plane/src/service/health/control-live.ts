import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { ServiceDeps } from '../deps.ts';

export const controlLive: Handler<Endpoints['controlLive'], ServiceDeps> = () => ({ status: 'ok', checks: { process: 'ok' } });
