import type { RuleCondition, RuleKey } from '@svc/contract/incidents/incident-rules/conditions.ts';
import type { IncidentRule } from '@svc/contract/incidents/incident-rules/incident-rules.ts';

export const CONDITION_NAMES: Readonly<Record<RuleCondition, string>> = {
  RISK_SCORE: 'Risk score of a request',
  RISK_HIGH: 'Risk of an agent is high',
  REFUSALS: 'Refused requests',
  REFUSAL_CODE: 'Requests refused with a code',
  DESTINATION_BLOCKED: 'Calls to blocked destinations',
  DELEGATION_ESCALATION: 'Delegations of more than is held',
  EVIDENCE_FAILED: 'Trust evidence failed',
  EVIDENCE_EXPIRED: 'Trust evidence expired',
  ASSERTION_FAILURES: 'Failed sign-ins of an agent',
  MCP_SERVER_QUARANTINED: 'MCP server changed its tools',
  OUTCOME_UNKNOWN: 'Calls without a known outcome',
};

export const KEY_NAMES: Readonly<Record<RuleKey, string>> = {
  AGENT: 'Agent',
  TOOL: 'Tool',
  ENVIRONMENT: 'Environment',
  MCP_SERVER: 'MCP server',
};

const detailWords = ({ score, code }: Pick<IncidentRule, 'score' | 'code'>): string =>
  score === null ? (code ?? '') : `at least ${score}`;

/** The condition of a rule in words. */
export const formatCondition = (rule: Pick<IncidentRule, 'condition' | 'score' | 'code' | 'count' | 'within_seconds'>): string => {
  const { condition, count, within_seconds } = rule;
  const words = [CONDITION_NAMES[condition], detailWords(rule)].filter((part) => part !== '').join(': ');
  return count === 1 ? words : `${words}, ${count} within ${within_seconds} seconds`;
};
