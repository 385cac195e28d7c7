import { type Static, Type } from 'typebox';
import { closedObject, enumSchema, nullable, timestamp } from '../rows/schema.ts';
import { EFFECTS } from '../tables/vocabulary.ts';

/** Changes of a recorded decision. `other_terms`: permitted before and after, but masked or limited differently. */
export const REPLAY_CHANGES = ['newly_blocked', 'newly_held', 'newly_allowed', 'other_terms'] as const;
export type ReplayChange = (typeof REPLAY_CHANGES)[number];

const count = Type.Integer({ minimum: 0 });
const counts = { newly_blocked: count, newly_held: count, newly_allowed: count, other_terms: count };

const Outcome = closedObject({
  effect: enumSchema(EFFECTS),
  policy_id: nullable(Type.String()),
  rule: nullable(Type.String({ description: 'Rule that decides; null if none matches.' })),
});
export type ReplayOutcome = Static<typeof Outcome>;

/** Recorded actions that two versions decide differently, with everything else as it is in force now. */
export const PolicyReplay = closedObject({
  days: Type.Integer(),
  since: timestamp,
  actions: closedObject({
    read: count,
    unchanged: count,
    ...counts,
    unknown: Type.Integer({ minimum: 0, description: 'Actions whose decision depends on values that were not recorded.' }),
    before_policy: Type.Integer({
      minimum: 0,
      description: 'Actions that a check before policy evaluation refused; no version changes that.',
    }),
  }),
  complete: Type.Boolean({ description: 'False if older actions of the period were omitted.' }),
  by_agent: Type.Array(closedObject({ agent_id: Type.String(), agent_name: Type.String(), ...counts })),
  by_rule: Type.Array(closedObject({ policy_id: nullable(Type.String()), rule: nullable(Type.String()), ...counts }), {
    description: 'Decision under the current rules.',
  }),
  examples: Type.Array(
    closedObject({
      action_id: Type.String(),
      agent_id: Type.String(),
      tool: Type.String(),
      created_at: timestamp,
      recorded_decision: enumSchema(EFFECTS),
      change: enumSchema(REPLAY_CHANGES),
      from: Outcome,
      to: Outcome,
    }),
    { description: 'Some actions for each kind of change, newest first.' },
  ),
  unknown_fields: Type.Array(closedObject({ field: Type.String(), actions: count }), {
    description: 'Fields that were not recorded and make the decision of actions unknown.',
  }),
  notes: Type.Array(Type.String(), { description: 'Assumptions and unknown values.' }),
});
export type PolicyReplay = Static<typeof PolicyReplay>;
