import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { newDocsPage } from '@svc/http/documents/openapi-page.ts';
import type { ServiceDeps } from '../deps.ts';

const page = newDocsPage('control');

export const controlDocs: Handler<Endpoints['controlDocs'], ServiceDeps> = (call, deps) => page(call.asset, deps.urls.gateway);
