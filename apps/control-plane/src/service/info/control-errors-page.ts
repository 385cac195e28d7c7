import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { newErrorsPage } from '@svc/http/documents/errors-page.ts';
import type { ServiceDeps } from '../deps.ts';

const page = newErrorsPage();

export const controlErrorsPage: Handler<Endpoints['controlErrorsPage'], ServiceDeps> = ({ asset }) => page(asset, '');
