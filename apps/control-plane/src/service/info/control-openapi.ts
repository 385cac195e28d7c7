import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointResult } from '@svc/contract/rows/endpoint.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { newOpenapiDocument } from '@svc/http/documents/openapi-page.ts';
import type { ServiceDeps } from '../deps.ts';

const openDocument = newOpenapiDocument<EndpointResult<Endpoints['controlOpenapi']>>('control');

export const controlOpenapi: Handler<Endpoints['controlOpenapi'], ServiceDeps> = () => openDocument();
