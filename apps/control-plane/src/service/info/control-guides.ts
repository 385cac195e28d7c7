import type { Endpoints } from '@svc/contract/endpoints.ts';
import { GUIDE_QUERY_CHARS } from '@svc/contract/tables/guides.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { guidesIndex, searchGuides } from '@svc/http/documents/guides/guide-pages.ts';
import type { ServiceDeps } from '../deps.ts';

/** Pages accept any query, so that links with further parameters work: the search text is not validated before. */
const readSearch = (q: unknown): string => (typeof q === 'string' ? q.slice(0, GUIDE_QUERY_CHARS).trim() : '');

export const controlGuides: Handler<Endpoints['controlGuides'], ServiceDeps> = ({ query }) => {
  const search = readSearch(query.q);
  return search === '' ? guidesIndex() : searchGuides(search);
};
