import type { NounTests } from '../noun-tests.ts';
import type { NounScene } from '../scene/scene.ts';

const reason = 'test';

const RULES = [{ id: 'fine', effect: 'ALLOW', reason: 'Fine.' }];

export const TESTS = [{ name: 'fine', given: {}, then: { effect: 'ALLOW' } }];

export const newPolicy = ({ make, name }: NounScene) => make('POST', '/v1/policies', { name: name('Policy'), rules: RULES, tests: TESTS });

const activeOf = async (scene: NounScene) => {
  const policy = await newPolicy(scene);
  return scene.make('POST', `/v1/policies/${policy.id}/activate`, { version_id: policy.versions[0].version_id, reason });
};

export const policyTests = {
  scopes: { policy: null },
  bodies: ({ made, agent }) => ({
    createPolicy: { name: `Policy ${made}`, rules: RULES, tests: TESTS },
    updatePolicy: { description: `${made}` },
    activatePolicy: { version_id: 'pvr_7ZZZZZZZZZZZZZZZZZZZZZZZZZ', reason },
    suspendPolicy: { reason },
    bindPolicy: { scope: 'AGENT', id: agent.id, reason },
    rollbackPolicy: { target_version_number: 1, reason },
    checkPolicy: { rules: RULES, tests: TESTS },
  }),
  recipes: {
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
  },
} as const satisfies NounTests;
