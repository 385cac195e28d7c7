import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Tool } from '@svc/contract/tools/tools.ts';
import { isFaults } from '@svc/domain/tools/fault.ts';
import { buildExecutionRequest } from '@svc/domain/tools/request/execution-request.ts';
import { parseExecution } from '@svc/domain/tools/request/parse-execution.ts';
import { compileParameters } from '@svc/domain/tools/schema/parameters-schema.ts';
import { newAddressRules } from '@svc/egress/names/address-rules.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { maskPaths } from '@svc/policy/masks/mask-paths.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { findCredential, type StoredCredential } from '@svc/postgres/credentials/credentials.ts';
import { findTool } from '@svc/postgres/tools/tools.ts';
import type { ToolsDeps } from '../deps.ts';
import { decideDryRun } from './dry-call/decided.ts';
import { formatCall } from './dry-call/format-call.ts';
import { findCallBlockers } from './dry-call/what-stops.ts';

type DryCallTool = Endpoints['dryCallTool'];
type Parameters = Readonly<Record<string, unknown>>;

const NO_CALL = 'Only a tool of kind HTTP is called by the gateway; agents carry out the others themselves.';
const UNSHOWN = 'The tool was declared with a secret in its execution, which is not shown. Give it a credential, and declare it without.';

const parametersRefusal = (call: Call<DryCallTool>, tool: Tool, parameters: Parameters) => {
  if (Buffer.byteLength(JSON.stringify(parameters)) > LIMITS.bodies.parametersBytesMax)
    return call.fault('/parameters', 'must be at most 64 KiB as JSON');
  const faults = compileParameters(tool.parameters_schema)(parameters);
  return faults.length > 0 ? call.refuse('VALIDATION_FAILED', 'The parameters do not fit the tool.', { faults }) : undefined;
};

/** Builds the request that the parameters make, from the parts of the tool that may be shown. */
const getRequest = (call: Call<DryCallTool>, { execution }: Tool, parameters: Parameters) => {
  if (execution === null) return call.refuse('UNPROCESSABLE', NO_CALL);
  const parsed = parseExecution(execution);
  if (isFaults(parsed)) return call.refuse('UNPROCESSABLE', UNSHOWN);
  const request = buildExecutionRequest(parsed, parameters);
  return isFaults(request) ? call.refuse('VALIDATION_FAILED', 'The parameters do not fit the tool.', request) : request;
};

type Found = { readonly tool: Tool; readonly credential: StoredCredential | undefined };

const readAnswer = async (call: Call<DryCallTool>, deps: ToolsDeps, { tool, credential }: Found) => {
  const { agent_id, parameters: given = {} } = call.body;
  const unfit = parametersRefusal(call, tool, given);
  if (unfit) return unfit;
  const decision = agent_id === undefined ? null : await decideDryRun(call, deps, tool.name, agent_id);
  if (isRefusal(decision)) return decision;
  const masks = decision?.explanation.obligations?.mask?.parameters ?? [];
  const request = getRequest(call, tool, masks.length === 0 ? given : maskPaths(given, masks));
  if (isRefusal(request)) return request;
  const { egress, sandboxOrigin, credentialsOverHttp } = deps.settings;
  const mayCall = { address: newAddressRules(egress.allowCidrs), sandboxOrigin, showsCredentials: credentialsOverHttp };
  const stops = findCallBlockers(tool, credential, new URL(request.url), mayCall);
  if ('fault' in stops) return call.fault('/parameters', stops.fault);
  const { destination, usable, stoppedBy } = stops;
  const shown = formatCall(request, credential ?? null);
  const decided = decision?.code ? [decision.reason] : [];
  return {
    tool_id: tool.id,
    declaration_version: tool.declaration_version,
    request: shown.request,
    credential:
      tool.execution?.credential_id === undefined
        ? null
        : {
            credential_id: tool.execution.credential_id,
            scheme: credential?.scheme ?? null,
            place: shown.place,
            usable: usable && shown.faults.length === 0,
          },
    destination,
    stopped_by: [...new Set([...decided, ...stoppedBy, ...shown.faults])],
    decision,
  };
};

/** Shows the call that parameters would make. Nothing is sent, no secret is opened, no name is resolved, and nothing is written. */
export const dryCallTool: Handler<DryCallTool, ToolsDeps> = async (call, deps) => {
  if (call.body.agent_id !== undefined && !call.holds('policy:simulate'))
    return call.refuse('PERMISSION_DENIED', 'To evaluate the decision for an agent, you need the permission policy:simulate.', {
      permissions: ['policy:simulate'],
    });
  const { organization_id } = call.scope;
  const found = await readInTenant(call.database, call.scope, async (tx) => {
    const tool = await findTool(tx, organization_id, call.params.toolId);
    const id = tool?.execution?.credential_id;
    return tool && { tool, credential: id === undefined ? undefined : await findCredential(tx, { organization_id, id }) };
  });
  if (!found) return call.refuse('NOT_FOUND');
  return call.inTurn(() => readAnswer(call, deps, found));
};
