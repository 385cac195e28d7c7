import { insertHeldAction } from '@svc/testing/records/insert-action.ts';
import { newApprovedRequest, newTool } from './approved-request.ts';
import type { ChangingOperation, Recipes } from './play.ts';
import type { Scene } from './scene.ts';

const reason = 'test';
const RULES = [{ id: 'fine', effect: 'ALLOW', reason: 'Fine.' }];
const TESTS = [{ name: 'fine', given: {}, then: { effect: 'ALLOW' } }];

/** What the rules of the scene keep. */
const HOLDING = { when: { field: 'tool.name', op: 'eq', value: 'blocked' }, at_least: 'BLOCK' };

/** A tool for which somebody waits. */
const newHeldTool = async (scene: Scene) => {
  const { make, name, tenant, database } = scene;
  const { environment_id, workspace_id, organization_id } = tenant;
  const tool = await make('POST', '/v1/tools', {
    name: name('tool').replace(' ', '-'),
    ...{ environment_id, required_capability: 'work', kind: 'SDK', destination_allowlist: ['*.example.com'] },
  });
  const place = { organization_id, workspace_id, environment_id };
  const { approvalId } = await insertHeldAction(database, place, {}, { agent_id: (await scene.agent()).id, tool_id: tool.id });
  return { id: tool.id, approvalId };
};

const newPolicy = ({ make, name }: Scene) => make('POST', '/v1/policies', { name: name('Policy'), rules: RULES, tests: TESTS });

const activeOf = async (scene: Scene) => {
  const policy = await newPolicy(scene);
  return scene.make('POST', `/v1/policies/${policy.id}/activate`, { version_id: policy.versions[0].version_id, reason });
};

const newInvariant = ({ make, name }: Scene): Promise<{ id: string }> =>
  make('POST', '/v1/policies/invariants', { name: name('Invariant'), ...HOLDING });

/** Tools, policies and invariants. */
export const ruleRecipes = {
  createTool: async ({ send, name, tenant }) => {
    const body = { name: name('tool').replace(' ', '-'), environment_id: tenant.environment_id, required_capability: 'work', kind: 'SDK' };
    const answer = await send('POST', '/v1/tools', body);
    return [{ answer, events: [['tool.created', 'tool', answer.json.id]] }];
  },
  authorizeAgentForTool: async (scene) => {
    const [tool, agent] = [await newTool(scene), await scene.agent()];
    const approvalId = await newApprovedRequest(scene, agent.id, tool.id);
    const answer = await scene.send('POST', `/v1/tools/${tool.id}/agents`, { agent_id: agent.id });
    const cancelled = ['approval.cancelled', 'approval', approvalId] as const;
    return [{ answer, events: [['tool.updated', 'tool', tool.id], cancelled] }];
  },
  withdrawAgentFromTool: async (scene) => {
    const [tool, agent] = [await newTool(scene), await scene.agent()];
    await scene.make('POST', `/v1/tools/${tool.id}/agents`, { agent_id: agent.id });
    const answer = await scene.send('DELETE', `/v1/tools/${tool.id}/agents/${agent.id}`);
    return [{ answer, events: [['tool.restricted', 'tool', tool.id]] }];
  },
  disableTool: async (scene) => {
    const { id } = await newTool(scene);
    return [{ answer: await scene.send('POST', `/v1/tools/${id}/disable`, { reason }), events: [['tool.disabled', 'tool', id]] }];
  },
  enableTool: async (scene) => {
    const { id } = await newTool(scene);
    await scene.make('POST', `/v1/tools/${id}/disable`, { reason });
    return [{ answer: await scene.send('POST', `/v1/tools/${id}/enable`, { reason }), events: [['tool.enabled', 'tool', id]] }];
  },
  updateTool: async (scene) => {
    const { id, approvalId } = await newHeldTool(scene);
    const answer = await scene.send('PATCH', `/v1/tools/${id}`, { risk_rating: 'HIGH', reason });
    return [
      {
        answer,
        events: [
          ['tool.updated', 'tool', id],
          ['approval.cancelled', 'approval', approvalId],
        ],
      },
    ];
  },
  restrictTool: async (scene) => {
    const { id, approvalId } = await newHeldTool(scene);
    const answer = await scene.send('POST', `/v1/tools/${id}/restrict`, { destination_allowlist: ['a.example.com'], reason });
    return [
      {
        answer,
        events: [
          ['tool.restricted', 'tool', id],
          ['approval.cancelled', 'approval', approvalId],
        ],
      },
    ];
  },
  createPolicy: async ({ send, name }) => {
    const answer = await send('POST', '/v1/policies', { name: name('Policy'), rules: RULES, tests: TESTS });
    const about = ['policy', answer.json.id] as const;
    return [
      {
        answer,
        events: [
          ['policy.created', ...about],
          ['policy.bound', ...about],
        ],
      },
    ];
  },
  updatePolicy: async (scene) => {
    const { id } = await newPolicy(scene);
    const answer = await scene.send('PATCH', `/v1/policies/${id}`, { description: 'Changed.' });
    return [{ answer, events: [['policy.updated', 'policy', id]] }];
  },
  deletePolicy: async (scene) => {
    const { id } = await newPolicy(scene);
    return [{ answer: await scene.send('DELETE', `/v1/policies/${id}`), events: [['policy.deleted', 'policy', id]] }];
  },
  activatePolicy: async (scene) => {
    const { id, versions } = await newPolicy(scene);
    const answer = await scene.send('POST', `/v1/policies/${id}/activate`, { version_id: versions[0].version_id, reason });
    return [
      {
        answer,
        events: [
          ['policy.test_run', 'policy', id],
          ['policy.validated', 'policy', id],
          ['policy.activated', 'policy', id],
        ],
      },
    ];
  },
  rollbackPolicy: async (scene) => {
    const { id } = await activeOf(scene);
    const { versions } = await scene.make('PATCH', `/v1/policies/${id}`, { rules: RULES, tests: TESTS });
    await scene.make('POST', `/v1/policies/${id}/activate`, { version_id: versions[0].version_id, reason });
    const answer = await scene.send('POST', `/v1/policies/${id}/rollback`, { target_version_number: 1, reason, accept_warnings: true });
    return [
      {
        answer,
        events: [
          ['policy.test_run', 'policy', id],
          ['policy.validated', 'policy', id],
          ['policy.rolled_back', 'policy', id],
        ],
      },
    ];
  },
  suspendPolicy: async (scene) => {
    const { id } = await activeOf(scene);
    return [
      {
        answer: await scene.send('POST', `/v1/policies/${id}/suspend`, { reason, accept_warnings: true }),
        events: [['policy.suspended', 'policy', id]],
      },
    ];
  },
  bindPolicy: async (scene) => {
    const { id } = await newPolicy(scene);
    const binding = { scope: 'ENVIRONMENT', id: scene.tenant.environment_id, reason };
    return [{ answer: await scene.send('POST', `/v1/policies/${id}/bindings`, binding), events: [['policy.bound', 'policy', id]] }];
  },
  unbindPolicy: async (scene) => {
    const { id, bindings } = await newPolicy(scene);
    const answer = await scene.send('DELETE', `/v1/policies/${id}/bindings/${bindings[0].id}?accept_warnings=true`);
    return [{ answer, events: [['policy.unbound', 'policy', id]] }];
  },
  createInvariant: async ({ send, name }) => {
    const answer = await send('POST', '/v1/policies/invariants', {
      name: name('Invariant'),
      ...HOLDING,
    });
    return [{ answer, events: [['compliance.control_updated', 'policy_invariant', answer.json.id]] }];
  },
  deleteInvariant: async (scene) => {
    const { id } = await newInvariant(scene);
    const answer = await scene.send('DELETE', `/v1/policies/invariants/${id}`);
    return [{ answer, events: [['compliance.control_updated', 'policy_invariant', id]] }];
  },
} as const satisfies Partial<Recipes<ChangingOperation>>;
