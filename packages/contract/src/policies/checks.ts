import { type Static, Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { closedObject, enumSchema, id, nullable } from '../rows/schema.ts';
import { LIMITS } from '../tables/limits.ts';
import { PolicyBinding, policyCurrency } from './policies.ts';
import { PolicyReplay } from './replay.ts';
import { CaseResult } from './trials.ts';
import { onPolicy, rules, tests, VersionFindings } from './versions.ts';

export const CheckedInvariant = closedObject({
  id: id('Invariant id (pin_).'),
  name: Type.String(),
  verdict: enumSchema(['PROVED', 'VIOLATED', 'UNDECIDED'], 'Result if the version were active in every scope that the policy is bound to.'),
  counter_example: nullable(Type.Record(Type.String(), Type.Unknown(), { description: 'Request that would violate it.' })),
});
export type CheckedInvariant = Static<typeof CheckedInvariant>;

/** Checks a version before it is saved, for editors and for policies in files. */
export const policyCheckEndpoints = {
  checkPolicy: defineEndpoint({
    ...onPolicy({
      method: 'POST',
      path: '/v1/policies/check',
      summary:
        'Check rules and tests that are not saved, as if they were the next version of a policy: warnings, tests, invariants and, with action:read, recorded actions that they decide differently. Has no side effects.',
      permissions: ['policy:simulate'],
      mayNeed: ['action:read'],
    }),
    body: closedObject({
      policy_id: Type.Optional(id('Policy that the version would belong to. Omitted for a new policy.')),
      rules,
      tests: Type.Optional(tests),
      currency: Type.Optional(policyCurrency),
      binding: Type.Optional(PolicyBinding),
      days: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: LIMITS.policies.diffReplayDaysMax,
          default: LIMITS.policies.diffReplayDays,
          description: 'Number of days of recorded actions to replay; 0 disables the replay. Requires action:read.',
        }),
      ),
    }),
    result: closedObject({
      ...VersionFindings.properties,
      currency: Type.String({ description: 'Currency of the amounts.' }),
      tests: closedObject({ passed: Type.Integer(), failed: Type.Integer(), results: Type.Array(CaseResult) }),
      invariants: Type.Array(CheckedInvariant),
      invariants_note: nullable(Type.String({ description: 'Reason that invariants were not checked; null if all were.' })),
      replay: nullable(PolicyReplay),
      replay_note: nullable(Type.String({ description: 'Reason there is no replay; null if there is one.' })),
    }),
    writesNothing: 'always',
    emits: [],
    refuses: ['NOT_FOUND', 'INVALID_POLICY', 'VALIDATION_FAILED'],
    automation: 'ALLOWED',
  }),
};
