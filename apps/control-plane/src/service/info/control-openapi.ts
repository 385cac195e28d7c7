import type { Endpoints } from '@svc/contract/endpoints.ts';
import { written } from '@svc/http/answers/written.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { newOpenapiBytes } from '@svc/http/documents/openapi-page.ts';
import type { ServiceDeps } from '../deps.ts';

const bytes = newOpenapiBytes('control');

export const controlOpenapi: Handler<Endpoints['controlOpenapi'], ServiceDeps> = () => written(bytes());
