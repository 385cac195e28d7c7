import type { Endpoints } from '@svc/contract/endpoints.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { getGuidePage } from '@svc/http/documents/guides/guide-pages.ts';
import type { ServiceDeps } from '../deps.ts';

export const controlGuide: Handler<Endpoints['controlGuide'], ServiceDeps> = ({ params }) =>
  getGuidePage(params.guideName) ?? buildRefusal('NOT_FOUND', 'There is no such guide.');
