import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/call.ts';
import { answerReady } from '@svc/http/readiness.ts';
import type { ControlDeps } from '../deps.ts';

export const controlReady: Handler<Endpoints['controlReady'], ControlDeps> = (_call, { readiness }) => answerReady(readiness);
