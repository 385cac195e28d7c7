/** Resources by which a rule groups findings: one incident for each. */
export const RULE_KEYS = ['AGENT', 'TOOL', 'ENVIRONMENT', 'MCP_SERVER'] as const;
export type RuleKey = (typeof RULE_KEYS)[number];

type ConditionRow = {
  /** Keys that the events of the condition state. The first is the default. */
  readonly keys: readonly [RuleKey, ...RuleKey[]];
  /** The additional member that the condition needs. */
  readonly needs?: 'score' | 'code';
  readonly description: string;
};

const OF_DECISIONS = ['AGENT', 'TOOL', 'ENVIRONMENT'] as const;

/** Findings that rules open incidents for. */
export const RULE_CONDITIONS = {
  RISK_SCORE: { keys: OF_DECISIONS, needs: 'score', description: 'A request has at least this risk score.' },
  RISK_HIGH: { keys: ['AGENT'], description: 'The risk of an agent passed the threshold `high`.' },
  REFUSALS: { keys: OF_DECISIONS, description: 'A request was refused.' },
  REFUSAL_CODE: { keys: OF_DECISIONS, needs: 'code', description: 'A request was refused with this code.' },
  DESTINATION_BLOCKED: { keys: OF_DECISIONS, description: 'A call to a destination that is blocked or not permitted was stopped.' },
  DELEGATION_ESCALATION: { keys: ['AGENT'], description: 'A delegation was to give an agent more than its delegator holds.' },
  EVIDENCE_FAILED: {
    keys: ['AGENT'],
    description: 'Trust evidence was added that lowers the level of an agent: a failed result, or an open vulnerability.',
  },
  EVIDENCE_EXPIRED: { keys: ['AGENT'], description: 'Trust evidence of an agent expired.' },
  ASSERTION_FAILURES: { keys: ['AGENT'], description: 'Many sign-ins that named an agent failed within minutes.' },
  MCP_SERVER_QUARANTINED: {
    keys: ['MCP_SERVER', 'ENVIRONMENT'],
    description: 'A pin changed: an MCP server changed its tools unexpectedly.',
  },
  OUTCOME_UNKNOWN: { keys: OF_DECISIONS, description: 'The outcome of a call is not known.' },
} as const satisfies Record<string, ConditionRow>;

export type RuleCondition = keyof typeof RULE_CONDITIONS;
export const RULE_CONDITION_NAMES = Object.keys(RULE_CONDITIONS) as RuleCondition[];

export const getConditionRow = (condition: RuleCondition): ConditionRow => RULE_CONDITIONS[condition];
