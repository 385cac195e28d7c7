import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { readAccess, TOOL_ACTIONS, TOOL_TYPE } from '@svc/domain/actions/access/read-access.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { listSubjectAgents } from '@svc/postgres/agents/agents/access-subjects.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import type { ActionsDeps } from '../deps.ts';
import { decideEvaluation } from './deciding/decide-access.ts';
import { readSearchPage, searchPage } from './deciding/search-page.ts';

const NONE = { results: [], page: { next_token: '', count: 0 } };

/** Lists the subjects of a type for whom the evaluation would be permitted. */
export const searchAccessSubjects: Handler<Endpoints['searchAccessSubjects'], ActionsDeps> = async (call, { pipeline, cursorKey }) => {
  const page = readSearchPage(call, cursorKey, call.body);
  if (isRefusal(page)) return page;
  const { subject, action, resource, context } = call.body;
  const { type, properties } = subject;
  if (resource.type === TOOL_TYPE && !TOOL_ACTIONS.includes(action.name)) return NONE;
  const agents = await readInTenant(call.database, call.scope, (tx) =>
    listSubjectAgents(tx, call.caller.organizationId, { type, after: page.after, limit: LIMITS.access.searchMax + 1 }),
  );
  return searchPage({
    page,
    cursorKey,
    candidates: agents.map(({ agent_id, subject_id }) => ({ key: agent_id, result: { type, id: subject_id } })),
    decide: async ({ key, result }) => {
      const asked = readAccess({ subject: { ...result, ...(properties ? { properties } : {}) }, action, resource, context });
      if ('length' in asked) return call.refuse('VALIDATION_FAILED', 'The context is not valid.', { faults: asked });
      return decideEvaluation(call, pipeline, key, { ...asked, dry_run: true });
    },
  });
};
