import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { accessDecision } from '@svc/domain/actions/access/access-decision.ts';
import { type AccessRequest, readAccess, TOOL_ACTIONS, TOOL_TYPE } from '@svc/domain/actions/access/read-access.ts';
import type { ToolSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import { buildDecisionResponse } from '@svc/enforcement/govern/answer.ts';
import type { Ports } from '@svc/enforcement/ports/ports.ts';
import { governSimulation } from '@svc/enforcement/simulate/govern-simulation.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { ActionsDeps } from '../deps.ts';
import { buildEvaluationCommand } from '../pipeline/evaluation-command.ts';
import { type AccessCall, decideEvaluation } from './deciding/decide-access.ts';
import { readSearchPage, searchPage } from './deciding/search-page.ts';
import { listToolsOfSubject } from './deciding/tools-of-subject.ts';

const NONE = { results: [], page: { next_token: '', count: 0 } };

/** Decides on a tool whose arguments are unknown: conditions on them stay open. */
const decideWithoutArguments = async (call: AccessCall, pipeline: Ports, agentId: string, asked: AccessRequest) => {
  const { accepts, ...request } = asked;
  const { askedBy: _, ...command } = buildEvaluationCommand(call, agentId, { ...request, parameters: {} });
  const answered = await governSimulation(pipeline, command, { tool: asked.tool, capability: undefined });
  if (isRefusal(answered)) return answered;
  const decision = buildDecisionResponse(answered);
  const isPermitted = decision.code === null && decision.mode !== 'SIMULATE';
  return accessDecision({ ...decision, status: isPermitted ? 'ALLOWED' : 'BLOCKED' }, accepts);
};

/** Returns the resource ids that the schema of a tool enumerates for `resource.id`. */
const enumeratedIds = (tool: ToolSnapshot | undefined): readonly string[] => {
  const schema = tool?.parameters_schema as
    | { readonly properties?: { readonly resource?: { readonly properties?: { readonly id?: { readonly enum?: unknown } } } } }
    | undefined;
  const ids = schema?.properties?.resource?.properties?.id?.enum;
  return Array.isArray(ids) ? ids.filter((each) => typeof each === 'string').sort() : [];
};

/** Returns the known resources: the tools of the environment, and for other types the ids that the tool's schema enumerates. */
const knownIds = (tools: readonly ToolSnapshot[], type: string, action: string): readonly string[] => {
  if (type !== TOOL_TYPE) return enumeratedIds(tools.find((tool) => tool.name === `${type}.${action}`));
  return TOOL_ACTIONS.includes(action) ? tools.map((tool) => tool.name) : [];
};

/** Lists the resources of a type for which the evaluation would be permitted. */
export const searchAccessResources: Handler<Endpoints['searchAccessResources'], ActionsDeps> = async (call, { pipeline, cursorKey }) => {
  const page = readSearchPage(call, cursorKey, call.body);
  if (isRefusal(page)) return page;
  const { subject, action, resource, context } = call.body;
  const found = await listToolsOfSubject(call, pipeline, subject);
  if (found === undefined) return NONE;
  if (isRefusal(found)) return found;
  const { after } = page;
  const ids = knownIds(found.tools, resource.type, action.name).filter((id) => after === undefined || id > after);
  return searchPage({
    page,
    cursorKey,
    candidates: ids.map((id) => ({ key: id, result: { type: resource.type, id } })),
    decide: async ({ key }) => {
      const asked = readAccess({ subject, action, resource: { ...resource, id: key }, context });
      if ('length' in asked) return call.refuse('VALIDATION_FAILED', 'The context is not valid.', { faults: asked });
      const decided = await decideEvaluation(call, pipeline, found.agentId, { ...asked, dry_run: true });
      const lacksArguments =
        resource.type === TOOL_TYPE &&
        !isRefusal(decided) &&
        decided.context?.code === 'VALIDATION_FAILED' &&
        resource.properties === undefined;
      if (!lacksArguments) return decided;
      const supposed = await decideWithoutArguments(call, pipeline, found.agentId, asked);
      return isRefusal(supposed) ? call.refuse('POLICY_SERVICE_UNAVAILABLE') : supposed;
    },
  });
};
