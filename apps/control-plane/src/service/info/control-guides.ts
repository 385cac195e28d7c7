import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { guidesIndex } from '@svc/http/documents/guides/guide-pages.ts';
import type { ServiceDeps } from '../deps.ts';

export const controlGuides: Handler<Endpoints['controlGuides'], ServiceDeps> = () => guidesIndex();
