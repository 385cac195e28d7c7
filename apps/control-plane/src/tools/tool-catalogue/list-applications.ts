import { readApplications } from '@svc/catalogue/read-applications.ts';
import { searchApplications } from '@svc/catalogue/search-applications.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { ToolsDeps } from '../deps.ts';

export const listApplications: Handler<Endpoints['listApplications'], ToolsDeps> = async ({ query }) => {
  const { limit = LIMITS.pages.defaultCount, offset = 0, ...filter } = query;
  const found = searchApplications(readApplications().values(), filter);
  return { items: found.slice(offset, offset + limit), total: found.length };
};
