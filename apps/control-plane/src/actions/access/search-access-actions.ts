import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { readAccess, TOOL_ACTIONS, TOOL_TYPE } from '@svc/domain/actions/access/read-access.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { ActionsDeps } from '../deps.ts';
import { decideEvaluation } from './deciding/decide-access.ts';
import { readSearchPage, searchPage } from './deciding/search-page.ts';
import { listToolsOfSubject } from './deciding/tools-of-subject.ts';

const NONE = { results: [], page: { next_token: '', count: 0 } };

/** Lists the actions on a resource that would be permitted: one for each tool `<resource type>.<action>`. */
export const searchAccessActions: Handler<Endpoints['searchAccessActions'], ActionsDeps> = async (call, { pipeline, cursorKey }) => {
  const page = readSearchPage(call, cursorKey, call.body);
  if (isRefusal(page)) return page;
  const { subject, resource, context } = call.body;
  const found = await listToolsOfSubject(call, pipeline, subject);
  if (found === undefined) return NONE;
  if (isRefusal(found)) return found;
  const prefix = `${resource.type}.`;
  const { after } = page;
  const names =
    resource.type === TOOL_TYPE
      ? TOOL_ACTIONS.slice(0, 1)
      : found.tools.filter((tool) => tool.name.startsWith(prefix)).map((tool) => tool.name.slice(prefix.length));
  return searchPage({
    page,
    cursorKey,
    candidates: names.filter((name) => after === undefined || name > after).map((name) => ({ key: name, result: { name } })),
    decide: async ({ result }) => {
      const asked = readAccess({ subject, action: result, resource, context });
      if ('length' in asked) return call.refuse('VALIDATION_FAILED', 'The context is not valid.', { faults: asked });
      return decideEvaluation(call, pipeline, found.agentId, { ...asked, dry_run: true });
    },
  });
};
