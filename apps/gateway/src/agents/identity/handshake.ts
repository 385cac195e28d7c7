import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { EnvironmentSnapshot, ToolSnapshot } from '@svc/enforcement/facts/snapshots.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { GatewayDeps } from '../../deps.ts';
import { presentAssertion } from './sign-in/present-assertion.ts';
import { redeemAssertion } from './sign-in/redeem-assertion.ts';

/** Returns each tool once; the snapshot has it by name and by id. */
const listTools = (environment: EnvironmentSnapshot): ToolSnapshot[] => [...new Set(environment.tools.values())];

export const handshake: Handler<Endpoints['handshake'], GatewayDeps> = async (call, deps) => {
  const redeemed = await redeemAssertion(
    deps,
    call,
    presentAssertion(deps, call.body, { text: call.header('dpop'), path: '/gateway/v1/handshake' }),
  );
  if (isRefusal(redeemed)) return redeemed;
  const { agent, environment, grant } = redeemed;
  const usable = listTools(environment).filter(
    (tool) => tool.status === 'ACTIVE' && agent.tool_ids.has(tool.id) && agent.capabilities.has(tool.required_capability),
  );
  return {
    data: {
      ...grant,
      workspace_id: environment.workspace_id,
      mode: environment.mode,
      capabilities: [...agent.capability_names],
      passport_version: agent.passport_version,
      tools: usable.map(({ id, name, description, kind, required_capability, parameters_schema }) => ({
        id,
        name,
        description,
        kind,
        required_capability,
        parameters_schema,
      })),
    },
  };
};
