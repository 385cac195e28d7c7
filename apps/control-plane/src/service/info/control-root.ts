import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { newRootPage } from '@svc/http/documents/root-page.ts';
import type { ServiceDeps } from '../deps.ts';

const page = newRootPage('control');

export const controlRoot: Handler<Endpoints['controlRoot'], ServiceDeps> = (call, deps) => page(call, deps.urls.gateway);
