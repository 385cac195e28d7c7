import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import type { RuleCondition, RuleKey } from '@svc/contract/incidents/incident-rules/conditions.ts';
import type { IncidentRule } from '@svc/contract/incidents/incident-rules/incident-rules.ts';

/** A rule as far as events are compared with it. */
export type ComparedRule = Pick<
  IncidentRule,
  'id' | 'environment_id' | 'condition' | 'score' | 'code' | 'key' | 'count' | 'within_seconds' | 'created_at'
>;

type Event = Pick<AuditEvent, 'type' | 'environment_id' | 'subject' | 'data' | 'occurred_at'>;

/** Refusals that are errors of a client rather than acts of an agent. */
const NOT_COUNTED: ReadonlySet<unknown> = new Set(['VALIDATION_FAILED', 'RATE_LIMITED', 'INTERNAL_ERROR', 'SERVICE_UNAVAILABLE']);

const DECIDED = ['allowed', 'blocked', 'limited', 'masked', 'approval_required', 'observed'].map((each) => `action.${each}`);

const readScore = ({ data }: Event): number => {
  const risk = data.risk as { readonly score?: unknown } | undefined;
  return typeof risk?.score === 'number' ? risk.score : 0;
};

const isLowering = ({ data }: Event): boolean => {
  const after = data.after as { readonly result?: unknown; readonly lowers?: unknown } | undefined;
  return after?.result === 'FAILED' || after?.lowers === true;
};

type ConditionTest = { readonly types: readonly string[]; readonly holds?: (event: Event, rule: ComparedRule) => boolean };

const TESTS: Readonly<Record<RuleCondition, ConditionTest>> = {
  RISK_SCORE: { types: DECIDED, holds: (event, { score }) => score !== null && readScore(event) >= score },
  RISK_HIGH: { types: ['risk.threshold_exceeded'] },
  REFUSALS: { types: ['action.blocked'], holds: ({ data }) => !NOT_COUNTED.has(data.code) },
  REFUSAL_CODE: { types: ['action.blocked'], holds: ({ data }, { code }) => code !== null && data.code === code },
  DESTINATION_BLOCKED: { types: ['security.destination_blocked'] },
  DELEGATION_ESCALATION: { types: ['delegation.escalation_blocked'] },
  EVIDENCE_FAILED: { types: ['trust.evidence_added'], holds: isLowering },
  EVIDENCE_EXPIRED: { types: ['trust.evidence_expired'] },
  ASSERTION_FAILURES: { types: ['risk.event_created'], holds: ({ data }) => data.signal === 'assertion_failures' },
  MCP_SERVER_QUARANTINED: { types: ['mcp.server_quarantined'] },
  OUTCOME_UNKNOWN: { types: ['action.failed'], holds: ({ data }) => data.status === 'UNKNOWN' },
};

/** Types of events that rules read. */
export const RULE_EVENT_TYPES: readonly string[] = [...new Set(Object.values(TESTS).flatMap(({ types }) => types))];

const readText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const KEY_VALUES: Readonly<Record<RuleKey, (event: Event) => string | undefined>> = {
  AGENT: ({ data, subject }) =>
    readText(data.agent_id) ?? readText(data.delegate_agent_id) ?? (subject.type === 'agent' ? subject.id : undefined),
  TOOL: ({ data }) => readText(data.tool),
  ENVIRONMENT: ({ environment_id }) => environment_id ?? undefined,
  MCP_SERVER: ({ subject }) => (subject.type === 'mcp_server' ? subject.id : undefined),
};

/** The value of the rule's key in an event that meets its condition; undefined for any other event. */
export const matchEvent = (rule: ComparedRule, event: Event): string | undefined => {
  if (event.environment_id !== rule.environment_id || event.occurred_at < rule.created_at) return undefined;
  const { types, holds } = TESTS[rule.condition];
  if (!types.includes(event.type) || holds?.(event, rule) === false) return undefined;
  return KEY_VALUES[rule.key](event);
};

export type MatchWindow = { readonly found: readonly string[]; readonly isMet: boolean };

/** Adds a finding to the newest ones of a rule. The rule is met if there are enough of them within its time. */
export const addFinding = (
  { count, within_seconds }: Pick<ComparedRule, 'count' | 'within_seconds'>,
  found: readonly string[],
  at: string,
): MatchWindow => {
  const next = [...found, at].slice(-count);
  const oldest = Date.parse(next[0] ?? at);
  return { found: next, isMet: next.length === count && Date.parse(at) - oldest <= within_seconds * 1_000 };
};
