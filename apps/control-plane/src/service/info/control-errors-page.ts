import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { errorsPage } from '@svc/http/documents/errors-page.ts';
import type { ControlDeps } from '../../deps.ts';

export const controlErrorsPage: Handler<Endpoints['controlErrorsPage'], ControlDeps> = () => errorsPage;
