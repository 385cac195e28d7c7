import { type Static, Type } from 'typebox';
import { RATE_SOURCES } from '../money/fx-rates.ts';
import { amount, closedObject, currency, enumSchema, jsonObject, namedObject, nullable, timestamp } from '../rows/schema.ts';
import { ACTION_STATUSES, EFFECTS, MODES } from '../tables/vocabulary.ts';
import { PolicyObligations } from './obligations.ts';

/** One stage of the pipeline and its finding. */
export const StageFinding = closedObject({
  stage: Type.String(),
  outcome: enumSchema(['passed', 'refused', 'relaxed', 'held', 'skipped']),
  code: Type.Optional(Type.String()),
  note: Type.Optional(Type.String()),
  details: Type.Optional(jsonObject('Details of an error with this code.')),
});
export type StageFinding = Static<typeof StageFinding>;

/**
 * Obligations of all matching rules except approvals, also of rules that did not decide. An agent that executes the action itself must
 * apply `mask`.
 */
export const Obligations = closedObject({
  mask: PolicyObligations.properties.mask,
  limits: PolicyObligations.properties.limits,
});
export type Obligations = Static<typeof Obligations>;

/**
 * Conversion of an amount to another currency. Two rates if no rate joins the currencies directly and both are joined to the base currency.
 */
const Conversion = closedObject({
  currency,
  amount,
  rates: Type.Array(
    closedObject({
      id: Type.String(),
      base_currency: Type.String(),
      quote_currency: Type.String(),
      rate: Type.String({ description: 'Decimal: units of the quote currency for one of the base currency.' }),
      source: enumSchema(RATE_SOURCES),
      effective_at: timestamp,
      age_seconds: Type.Integer({ description: 'Time since the rate became effective.' }),
    }),
  ),
});

/** Reasons for a decision: the rules evaluated with each condition's outcome, the authority and every stage. */
export const Explanation = closedObject({
  decision: enumSchema(EFFECTS),
  matched_rule: nullable(namedObject('MatchedRule')),
  matched_rules: Type.Array(namedObject('ConsultedRule'), { description: 'Evaluated rules, each with a trace of its conditions.' }),
  skipped_rules: Type.Integer({ description: 'Active rules that cannot match this tool and capability.' }),
  authority: jsonObject('Grant or delegation chain that authorizes the request.'),
  risk: jsonObject('Risk signals that fired.'),
  conversions: Type.Optional(Type.Array(Conversion, { description: 'Amount and exchange rates of a comparison in another currency.' })),
  stages: Type.Array(StageFinding),
  obligations: Type.Optional(Obligations),
  unknown_fields: Type.Optional(
    Type.Array(Type.String(), { description: 'Fields that a rule read and the given context did not contain.' }),
  ),
});
export type Explanation = Static<typeof Explanation>;

export const ApprovalHint = closedObject({
  approval_id: Type.String(),
  status: Type.String(),
  poll_after_seconds: Type.Integer(),
  expires_at: timestamp,
  no_approver: Type.Optional(
    Type.Literal(true, { description: 'True if no eligible approver can approve the request; `remedy` describes what to do.' }),
  ),
  remedy: Type.Optional(Type.String()),
});
export type ApprovalHint = Static<typeof ApprovalHint>;

/** Parts of a response that differ from what its tool expects. */
export const EXPECTATIONS = ['STATUS', 'CONTENT_TYPE', 'SIZE', 'BODY'] as const;
export type Expectation = (typeof EXPECTATIONS)[number];

export const Execution = closedObject({
  state: enumSchema(['EXECUTED', 'NOT_EXECUTED', 'BY_AGENT', 'FAILED', 'UNKNOWN']),
  reason: Type.Optional(Type.String()),
  http_status: Type.Optional(Type.Integer()),
  duration_ms: Type.Optional(Type.Number()),
  result: Type.Optional(Type.Unknown()),
  response_bytes: Type.Optional(Type.Integer({ description: 'Size of the response of the destination.' })),
  expectation_failed: Type.Optional(
    enumSchema(EXPECTATIONS, 'Part of the response that did not match the expectations of the tool; reason explains it.'),
  ),
  kept: Type.Optional(Type.Array(Type.String(), { description: 'Members of the response that the tool declares in keep.' })),
  tries: Type.Optional(Type.Integer({ description: 'Number of tries, if the tool allows more than one.' })),
});
export type Execution = Static<typeof Execution>;

/** The response of evaluate, simulate and a gateway action. */
export const Decision = closedObject({
  action_id: nullable(Type.String({ description: 'Null if nothing was stored.' })),
  decision: enumSchema(EFFECTS),
  status: enumSchema(ACTION_STATUSES),
  mode: enumSchema(MODES),
  code: nullable(Type.String({ description: 'Error code; null if the action was allowed.' })),
  reason: Type.String(),
  explanation: Explanation,
  approval: Type.Optional(ApprovalHint),
  execution: Type.Optional(Execution),
  /** Details of the code, where the decision is the response and no error is returned. */
  details: Type.Optional(jsonObject('Details of an error with this code, such as the exceeded limit or the time of the next attempt.')),
  request_id: Type.String(),
});
export type Decision = Static<typeof Decision>;
