import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { newDocsPage } from '@svc/http/documents/openapi-page.ts';
import type { GatewayDeps } from '../../deps.ts';

const page = newDocsPage('gateway');

export const gatewayDocs: Handler<Endpoints['gatewayDocs'], GatewayDeps> = (call, deps) => page(call.asset, deps.settings.baseUrl);
