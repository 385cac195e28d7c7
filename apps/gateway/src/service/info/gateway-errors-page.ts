import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { newErrorsPage } from '@svc/http/documents/errors-page.ts';
import type { GatewayDeps } from '../../deps.ts';

const page = newErrorsPage();

export const gatewayErrorsPage: Handler<Endpoints['gatewayErrorsPage'], GatewayDeps> = ({ asset }, deps) =>
  page(asset, deps.settings.baseUrl);
