import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { PoliciesDeps } from '../deps.ts';
import { simulateRequest } from './simulating/simulate-request.ts';

/** What would be decided, from as much as the caller says; no effect of any kind. */
export const simulatePolicy: Handler<Endpoints['simulatePolicy'], PoliciesDeps> = (call, deps) => simulateRequest(call, deps);
