import { type Static, Type } from 'typebox';
import { closedObject, enumSchema, nullable, timestamp } from '../../rows/schema.ts';
import { LIMITS } from '../../tables/limits.ts';

export const EMERGENCY_CONTROLS = ['isolate-agent', 'pause-environment', 'disable-tool', 'block-destination', 'revoke-sessions'] as const;
export type EmergencyControl = (typeof EMERGENCY_CONTROLS)[number];

export const isEmergencyControl = (word: string): word is EmergencyControl => (EMERGENCY_CONTROLS as readonly string[]).includes(word);

/** Kinds of resources that emergency controls act on. */
export const EMERGENCY_TARGETS = ['agent', 'environment', 'tool', 'destination', 'workspace', 'organization', 'member'] as const;
export type EmergencyTargetType = (typeof EMERGENCY_TARGETS)[number];

const { countedMax, namedMax } = LIMITS.emergency;

export const controlTarget = Type.String({
  minLength: 1,
  maxLength: 260,
  examples: ['agt_00000000000000000000000000', '*.partner.example'],
  description:
    'isolate-agent: an agent. pause-environment: an environment. disable-tool: a tool. revoke-sessions: an agent, environment, workspace, member or the organization. Each by its id. block-destination: a host, *.host, an address or a network, with an optional port.',
});

export const confirmBlastRadius = Type.Integer({
  minimum: 0,
  maximum: 1_000_000,
  description: 'The number of the preview. It is counted again; if more would be stopped than was confirmed, nothing changes.',
});

export const Named = closedObject({ id: Type.String(), name: Type.String() });

export const ControlBlastRadius = closedObject({
  number: Type.Integer({ description: `Agents (or tools, or members) that are stopped. Counting ends at ${countedMax}.` }),
  unit: enumSchema(['agents', 'tools', 'members'] as const),
  parts: Type.Record(Type.String(), Type.Integer(), { description: 'Other affected things, by kind.' }),
  counted_all: Type.Boolean({ description: `False if counting ended at ${countedMax}.` }),
  named: Type.Array(Named, { description: `The first ${namedMax} of them.` }),
  cannot_hold: Type.Array(Named, {
    description: `block-destination: the first ${namedMax} tools that run in the process of the agent and name no destination. The block does not reach them.`,
  }),
});
export type ControlBlastRadius = Static<typeof ControlBlastRadius>;

export const Undo = closedObject({
  method: Type.String(),
  path: Type.String(),
});
export type Undo = Static<typeof Undo>;

export const ControlOutcome = closedObject({
  execution_id: nullable(Type.String({ description: 'Execution id (emx_); null if nothing was changed.' })),
  control: enumSchema(EMERGENCY_CONTROLS),
  target: closedObject({ type: enumSchema(EMERGENCY_TARGETS), id: Type.String(), name: Type.String() }),
  outcome: enumSchema(['CHANGED', 'UNCHANGED'] as const, 'UNCHANGED: the target was in this state before.'),
  drill: Type.Boolean(),
  blast_radius: ControlBlastRadius,
  took_ms: Type.Integer(),
  undo: nullable(Undo),
});
export type ControlOutcome = Static<typeof ControlOutcome>;

export const BlockedDestination = closedObject({
  id: Type.String({ description: 'Block id (blk_).' }),
  destination: Type.String(),
  reason: Type.String(),
  incident_id: nullable(Type.String()),
  created_by: Type.String(),
  created_at: timestamp,
  expires_at: nullable(timestamp),
});
export type BlockedDestination = Static<typeof BlockedDestination>;

export const ControlFacts = closedObject({
  control: enumSchema(EMERGENCY_CONTROLS),
  last_execution_at: nullable(timestamp),
  last_drill_at: nullable(timestamp),
  last_drill_by: nullable(Type.String()),
});
export type ControlFacts = Static<typeof ControlFacts>;
