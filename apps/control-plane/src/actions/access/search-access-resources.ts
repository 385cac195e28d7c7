import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { accessDecision } from '@svc/domain/actions/access/access-decision.ts';
import { type AccessAsked, readAccess, TOOL_ACTIONS, TOOL_TYPE } from '@svc/domain/actions/access/read-access.ts';
import { wholeDecision } from '@svc/enforcement/govern/answer.ts';
import type { Ports } from '@svc/enforcement/ports/ports.ts';
import { governSimulation } from '@svc/enforcement/simulate/govern-simulation.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { ControlDeps } from '../../deps.ts';
import { evaluationCommand } from '../pipeline/evaluation-command.ts';
import { type AccessCall, decideFor } from './decide-access.ts';
import { readSearchPage, searchPage } from './search-page.ts';
import { toolsOfSubject } from './tools-of-subject.ts';

const NONE = { results: [], page: { next_token: '', count: 0 } };

/** Decides on a tool whose arguments are not known: conditions on them are left open. */
const decideWithoutArguments = async (call: AccessCall, pipeline: Ports, agentId: string, asked: AccessAsked) => {
  const { accepts, ...request } = asked;
  const { askedBy: _, ...command } = evaluationCommand(call, agentId, { ...request, parameters: {} });
  const answered = await governSimulation(pipeline, command, { tool: asked.tool, capability: undefined });
  if (isRefusal(answered)) return answered;
  const decision = wholeDecision(answered);
  const isPermitted = decision.code === null && decision.mode !== 'SIMULATE';
  return accessDecision({ ...decision, status: isPermitted ? 'ALLOWED' : 'BLOCKED' }, accepts);
};

/** The tools that a subject may call. The service knows no other resources, so a search for them has no results. */
export const searchAccessResources: Handler<Endpoints['searchAccessResources'], ControlDeps> = async (call, { pipeline, cursorKey }) => {
  const page = readSearchPage(call, cursorKey, call.body);
  if (isRefusal(page)) return page;
  const { subject, action, resource, context } = call.body;
  if (resource.type !== TOOL_TYPE || !TOOL_ACTIONS.includes(action.name)) return NONE;
  const found = await toolsOfSubject(call, pipeline, subject);
  if (found === undefined) return NONE;
  if (isRefusal(found)) return found;
  const { after } = page;
  const names = found.tools.map((tool) => tool.name).filter((name) => after === undefined || name > after);
  return searchPage({
    page,
    cursorKey,
    candidates: names.map((name) => ({ key: name, result: { type: TOOL_TYPE, id: name } })),
    decide: async ({ key }) => {
      const asked = readAccess({ subject, action, resource: { ...resource, id: key }, context });
      if ('length' in asked) return call.refuse('VALIDATION_FAILED', 'The context is not valid.', { faults: asked });
      const decided = await decideFor(call, pipeline, found.agentId, { ...asked, dry_run: true });
      const lacksArguments = !isRefusal(decided) && decided.context?.code === 'VALIDATION_FAILED' && resource.properties === undefined;
      if (!lacksArguments) return decided;
      const supposed = await decideWithoutArguments(call, pipeline, found.agentId, asked);
      return isRefusal(supposed) ? call.refuse('POLICY_SERVICE_UNAVAILABLE') : supposed;
    },
  });
};
