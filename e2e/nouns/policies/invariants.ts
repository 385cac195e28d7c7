import type { NounTests } from '../noun-tests.ts';
import type { NounScene } from '../scene/scene.ts';

/** An invariant that the rules of the scene satisfy. */
const HOLDING = { when: { field: 'tool.name', op: 'eq', value: 'blocked' }, at_least: 'BLOCK' };

const newInvariant = ({ make, name }: NounScene): Promise<{ id: string }> =>
  make('POST', '/v1/policies/invariants', { name: name('Invariant'), ...HOLDING });

export const invariantTests = {
  scopes: { policy_invariant: null },
  bodies: ({ made }) => ({
    createInvariant: { name: `Invariant ${made}`, when: { field: 'amount', op: 'gt', value: 5 }, at_least: 'REQUIRE_APPROVAL' },
    checkInvariant: { at_least: 'REQUIRE_APPROVAL' },
  }),
  recipes: {
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
  },
} as const satisfies NounTests;
