import { call, mustCall } from '@svc/testing/people/client.ts';
import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

type Prepared = {
  readonly controlUrl: string;
  readonly gatewayUrl: string;
  readonly owner: string;
  readonly token: string;
  readonly id: string;
  readonly environment_id: string;
};

const POLICIES = 15;

/** Every change makes each gateway load everything in force again with the next action. */
export const attack: Attack<Prepared> = {
  title: 'a tenant with as many rules in force as it may have binds and unbinds a policy without pause, and acts',
  longOnly: true,
  prepare: async (scene) => {
    const { tenant, token } = await scene.newHostile();
    const { controlUrl, environment_id } = tenant;
    const post = (path: string, body: object) => mustCall(controlUrl, 'POST', path, { token: tenant.token, body });
    const rules = Array.from({ length: 190 }, (_, n) => ({
      id: `r${n}`,
      effect: 'BLOCK',
      reason: 'x',
      description: 'd'.repeat(1_100),
      when: { field: 'tool.name', op: 'eq', value: `tool-${n}` },
    }));
    const tests = [{ name: 'none', given: {}, then: { effect: 'BLOCK' } }];
    const made: string[] = [];
    for (let n = 0; n < POLICIES; n += 1) {
      const policy = await post('/v1/policies', { name: `Large ${n}`, rules, tests });
      await post(`/v1/policies/${policy.id}/activate`, { version_id: policy.versions[0].version_id, reason: 'large' });
      made.push(policy.id);
    }
    return { controlUrl, gatewayUrl: scene.gatewayUrl, owner: tenant.token, token, id: made[0] ?? '', environment_id };
  },
  spend: async ({ controlUrl, gatewayUrl, owner, token, id, environment_id }, signal) => {
    const agent = createUnauthenticatedAgent(8);
    const body = { scope: 'ENVIRONMENT', id: environment_id, reason: 'again' };
    const toggling = runInParallel(1, signal, async () => {
      const bound = await call(controlUrl, 'POST', `/v1/policies/${id}/bindings`, { token: owner, body });
      const made = bound.json?.bindings?.find(({ scope }: { readonly scope: string }) => scope === 'ENVIRONMENT');
      if (made)
        await call(controlUrl, 'DELETE', `/v1/policies/${id}/bindings/${made.id}?accept_warnings=true`, {
          token: owner,
          body: { reason: 'again' },
        });
    });
    const acting = runInParallel(4, signal, () =>
      ask(agent, gatewayUrl, { method: 'POST', path: '/gateway/v1/actions', token, body: '{"tool":"pay","parameters":{}}' }),
    );
    await Promise.all([toggling, acting]);
  },
};
