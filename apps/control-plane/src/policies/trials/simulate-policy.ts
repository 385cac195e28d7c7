import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { PoliciesDeps } from '../deps.ts';
import { simulateRequest } from './simulating/simulate-request.ts';

/** Simulates a decision from as much as the caller states; no side effects. */
export const simulatePolicy: Handler<Endpoints['simulatePolicy'], PoliciesDeps> = (call, deps) => simulateRequest(call, deps);
