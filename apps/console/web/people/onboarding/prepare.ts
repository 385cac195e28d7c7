import type { OperationResult } from '@svc/client/client-types.ts';
import type { ApiAnswer } from '../../data/answer.ts';
import { client, type OperationBody } from '../../data/client.ts';
import { TRIAL_CAPABILITY, TRIAL_TOOL } from './trial.ts';

const WORKSPACE = 'Getting started';
const ENVIRONMENT = 'Trial';
const LISTED_MAX = 200;

type Environment = OperationResult<'createEnvironment'>;
type Agent = OperationResult<'createAgent'>['data']['agent'];

/** The environment of the trial, created if it is missing. Decisions in it affect no other environment. */
const ensureEnvironment = async (): Promise<ApiAnswer<Environment>> => {
  const workspaces = await client.request('listWorkspaces', {});
  if (!workspaces.ok) return workspaces;
  const known = workspaces.body.find(({ name, archived_at }) => name === WORKSPACE && archived_at === null);
  const workspace = known ? { ok: true as const, body: known } : await client.request('createWorkspace', { body: { name: WORKSPACE } });
  if (!workspace.ok) return workspace;
  const { id: workspace_id } = workspace.body;
  const environments = await client.request('listEnvironments', {});
  if (!environments.ok) return environments;
  const same = environments.body.find(
    (each) => each.name === ENVIRONMENT && each.workspace_id === workspace_id && each.archived_at === null,
  );
  if (same) return { ok: true, body: same };
  return client.request('createEnvironment', { body: { workspace_id, name: ENVIRONMENT, type: 'DEVELOPMENT' } });
};

/** The body that registers the agent of the trial. */
export const buildTrialAgentBody = (
  name: string,
  publicKey: string | undefined,
  environment: Pick<Environment, 'id' | 'workspace_id'>,
) => ({
  name,
  workspace_id: environment.workspace_id,
  environment_id: environment.id,
  capabilities: [TRIAL_CAPABILITY],
  ...(publicKey === undefined ? {} : { public_key: publicKey }),
});

/** Registers an agent. If this browser cannot make a key, the service makes it and returns the private one once. */
export const createTrialAgent = async (
  name: string,
  publicKey: string | undefined,
): Promise<ApiAnswer<{ readonly agent: Agent; readonly privateKey: string | undefined }>> => {
  const environment = await ensureEnvironment();
  if (!environment.ok) return environment;
  const answer = await client.request('createAgent', { body: buildTrialAgentBody(name, publicKey, environment.body) });
  if (!answer.ok) return answer;
  const { agent, private_key: privateKey } = answer.body.data;
  return { ok: true, body: { agent, privateKey: privateKey ?? undefined } };
};

/** The tool of the trial. The gateway calls the sandbox receiver; an installation without one decides and makes no call. */
const trialToolBody = (environmentId: string, sandboxUrl: string | null): OperationBody<'createTool'> => ({
  name: TRIAL_TOOL,
  environment_id: environmentId,
  required_capability: TRIAL_CAPABILITY,
  // The person who registered the agent may approve its requests for a tool of low risk.
  risk_rating: 'LOW',
  amount_from: '/amount',
  currency_from: '/currency',
  parameters_schema: {
    type: 'object',
    properties: { order: { type: 'string' }, amount: { type: 'integer', minimum: 1 }, currency: { type: 'string' } },
    required: ['order', 'amount', 'currency'],
    additionalProperties: false,
  },
  ...(sandboxUrl === null
    ? { kind: 'SDK' as const }
    : {
        kind: 'HTTP' as const,
        destination_allowlist: [new URL(sandboxUrl).host],
        execution: {
          method: 'POST' as const,
          url: `${sandboxUrl}/refunds`,
          body: { order: '{order}', amount: '{amount}', currency: '{currency}' },
        },
      }),
});

const ensureTool = async (environmentId: string, agentId: string, sandboxUrl: string | null): Promise<ApiAnswer<unknown>> => {
  const found = await client.request('listTools', { query: { q: TRIAL_TOOL, limit: LISTED_MAX } });
  if (!found.ok) return found;
  const known = found.body.items.find(({ name, environment_id }) => name === TRIAL_TOOL && environment_id === environmentId);
  const tool = known
    ? { ok: true as const, body: known }
    : await client.request('createTool', { body: trialToolBody(environmentId, sandboxUrl) });
  if (!tool.ok || tool.body.authorized_agent_ids.includes(agentId)) return tool;
  return client.request('authorizeAgentForTool', { params: { toolId: tool.body.id }, body: { agent_id: agentId } });
};

export type TrialPolicy = { readonly template: string; readonly name: string; readonly environmentId: string };

export const buildTrialPolicyBody = ({ template, name, environmentId }: TrialPolicy): OperationBody<'createPolicy'> => ({
  name,
  template,
  binding: { scope: 'ENVIRONMENT', id: environmentId },
});

type PolicyInput = TrialPolicy & { readonly agentId: string; readonly sandboxUrl: string | null };

/** Registers the tool, creates the policy and activates it. Existing parts stay, so that a repetition after a step-up continues. */
export const createTrialPolicy = async ({ agentId, sandboxUrl, ...policy }: PolicyInput): Promise<ApiAnswer<{ readonly id: string }>> => {
  const tool = await ensureTool(policy.environmentId, agentId, sandboxUrl);
  if (!tool.ok) return tool;
  const policies = await client.request('listPolicies', { query: { limit: LISTED_MAX } });
  if (!policies.ok) return policies;
  const known = policies.body.find(
    ({ name, bindings }) => name === policy.name && bindings.some(({ target_id }) => target_id === policy.environmentId),
  );
  const saved = known ? { ok: true as const, body: known } : await client.request('createPolicy', { body: buildTrialPolicyBody(policy) });
  if (!saved.ok) return saved;
  const { id, active_version, versions } = saved.body;
  const version_id = versions[0]?.version_id;
  if (active_version !== null || version_id === undefined) return { ok: true, body: { id } };
  const answer = await client.request('activatePolicy', { params: { policyId: id }, body: { version_id, reason: 'First decision' } });
  return answer.ok ? { ok: true, body: { id } } : answer;
};
