import { VELOCITY_CALLS_MAX } from '@svc/contract/policies/language.ts';
import { RISK_LEVELS, SIGNAL_NAMES } from '@svc/contract/risk/signal-table.ts';
import type { PolicyContext } from '../evaluation/policy-context.ts';
import type { FieldRow } from './field-row.ts';

const calls = {
  type: 'integer',
  unit: 'calls',
  min: 0,
  max: VELOCITY_CALLS_MAX,
} as const;

const LET_THROUGH = 'actions of the agent that were permitted in the last';
const BEFORE = 'This request and requests being decided at the same time are not counted; to enforce an exact limit, use the effect LIMIT.';

const LOWER_BOUND = 'While the history of the agent is not known, it is a lower bound: gte can be true, lt is unknown.';
const isPartRisk = ({ risk }: PolicyContext): boolean => risk?.complete === false;

/** Fields about the behaviour and reputation of an agent. */
export const CONDUCT_FIELDS: readonly FieldRow[] = [
  {
    name: 'request.sdk_name',
    type: 'string',
    example: '@svc/sdk',
    sentence: 'Name of the client library, as reported by the agent at sign-in. It is self-reported and not verified.',
    read: (context) => context.request?.sdk_name,
  },
  {
    name: 'request.runtime_kind',
    type: 'string',
    example: 'MCP_CLIENT',
    sentence: 'Kind of the runtime that the agent runs in; of several the one with the weakest enforcement status.',
    read: (context) => context.request?.runtime_kind,
  },
  {
    name: 'request.runtime_enforcement',
    type: 'string',
    example: 'ENFORCED',
    sentence:
      'Weakest enforcement status of the runtimes that the agent runs in: BYPASSED, UNKNOWN, DETECTED, PARTIAL or ENFORCED. Unknown for an agent without a runtime.',
    read: (context) => context.request?.runtime_enforcement,
  },
  {
    name: 'velocity.calls_1m',
    ...calls,
    example: 60,
    sentence: `How many ${LET_THROUGH} minute. ${BEFORE}`,
    read: (context) => context.velocity?.calls_1m,
  },
  {
    name: 'velocity.calls_1h',
    ...calls,
    example: 500,
    sentence: `How many ${LET_THROUGH} hour. ${BEFORE}`,
    read: (context) => context.velocity?.calls_1h,
  },
  {
    name: 'velocity.calls_24h',
    ...calls,
    example: 2_000,
    sentence: `How many ${LET_THROUGH} 24 hours. ${BEFORE}`,
    read: (context) => context.velocity?.calls_24h,
  },
  {
    name: 'velocity.amount_24h',
    type: 'integer',
    unit: 'minor units of the base currency',
    min: 0,
    example: 1_000_000,
    sentence: `Sum of the amounts of the ${LET_THROUGH} 24 hours. ${BEFORE}`,
    read: (context) => context.velocity?.amount_24h,
  },
  {
    name: 'risk.score',
    type: 'integer',
    min: 0,
    max: 100,
    example: 70,
    sentence: `Risk of the request, from 0 to 100: the sum of the largest points of each family of signals. ${LOWER_BOUND}`,
    partial: isPartRisk,
    read: (context) => context.risk?.score,
  },
  {
    name: 'risk.level',
    type: 'enum',
    values: RISK_LEVELS,
    example: 'HIGH',
    sentence: 'Level of the risk of the request, by the thresholds of the environment.',
    partial: isPartRisk,
    read: (context) => context.risk?.level,
  },
  {
    name: 'risk.complete',
    type: 'boolean',
    example: true,
    sentence: 'False if the history of the agent is not known at the moment, so that the score is a lower bound.',
    read: (context) => context.risk?.complete,
  },
  {
    name: 'risk.signals',
    type: 'string_list',
    element_pattern: `^(${SIGNAL_NAMES.join('|')})$`,
    example: 'new_destination',
    sentence: 'Names of the risk signals that fired.',
    partial: isPartRisk,
    read: (context) => context.risk?.signals,
  },
  {
    name: 'trust.level',
    type: 'integer',
    min: 0,
    max: 4,
    example: 2,
    sentence: 'Trust level of the evidence about the agent, from 0 (none) to 4.',
    read: (context) => context.trust?.level,
  },
  {
    name: 'trust.evidence',
    type: 'string_list',
    example: 'security_review',
    sentence: 'Kinds of evidence about the agent that are currently valid.',
    read: (context) => context.trust?.evidence,
  },
];
