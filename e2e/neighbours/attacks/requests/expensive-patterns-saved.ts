import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

type Prepared = { readonly controlUrl: string; readonly token: string; readonly environment_id: string };

let asked = 0;

/** New patterns that are as expensive as accepted, and more expensive ones, in policies, invariants and tools. */
export const attack: Attack<Prepared> = {
  title: 'a tenant saves policies, invariants and tools with patterns that are dear to prepare',
  prepare: async (scene) => {
    const { tenant } = await scene.newHostile();
    return { controlUrl: scene.controlUrl, token: tenant.token, environment_id: tenant.environment_id };
  },
  spend: async ({ controlUrl, token, environment_id }, signal) => {
    const agent = createUnauthenticatedAgent(4);
    await runInParallel(4, signal, async () => {
      asked += 1;
      const fresh = (n: number): string => `(?i)[\\pL\\pN\\pP\\pS]x{${1 + (asked % 90)}}${asked}y${n}`;
      const dear = `(?i)[${'\\pL'.repeat(120)}]${asked}`;
      const when = {
        any: Array.from({ length: 80 }, (_, n) => ({ field: 'parameters.t', op: 'matches', value: n < 5 ? fresh(n) : `${dear}${n}` })),
      };
      const properties = Object.fromEntries(
        Array.from({ length: 32 }, (_, n) => [`p${n}`, { type: 'string', pattern: n < 7 ? fresh(n) : dear }]),
      );
      const bodies: readonly (readonly [string, object])[] = [
        ['/v1/policies', { name: `Dear ${asked}`, rules: [{ id: 'r', effect: 'BLOCK', reason: 'x', when }] }],
        ['/v1/policies/invariants/check', { when, at_least: 'BLOCK' }],
        [
          '/v1/tools',
          { environment_id, name: `t${asked}`, kind: 'SDK', required_capability: 'pay', parameters_schema: { type: 'object', properties } },
        ],
      ];
      for (const [path, body] of bodies) await ask(agent, controlUrl, { method: 'POST', path, token, body: JSON.stringify(body) });
    });
  },
};
