import type { AuditEvent } from '@svc/contract/events/audit-events.ts';
import { addFinding, matchEvent } from '@svc/domain/incidents/incident-rules/match-event.ts';
import {
  type FindingKey,
  type IncidentMatch,
  isMatchable,
  leaveMatches,
  type RuleOfTenant,
  readRules,
  readWindows,
  type WindowRow,
  writeWindows,
} from '@svc/postgres/incidents/incident-rules/incident-matches.ts';
import type { EventConsumer } from './consumer.ts';

type Finding = FindingKey & { readonly rule: RuleOfTenant; readonly event: AuditEvent };

const getText = ({ organization_id, rule_id, key_value }: FindingKey): string => JSON.stringify([organization_id, rule_id, key_value]);

const readFindings = (event: AuditEvent, rules: readonly RuleOfTenant[]): Finding[] =>
  rules.flatMap((rule) => {
    const key_value = rule.organization_id === event.organization_id ? matchEvent(rule, event) : undefined;
    return key_value === undefined ? [] : [{ organization_id: rule.organization_id, rule_id: rule.id, key_value, rule, event }];
  });

const asMatch = ({ organization_id, rule_id, key_value, event }: Finding, count: number): IncidentMatch => ({
  ...{ organization_id, rule_id, key_value, count, event_type: event.type },
  ...{ first_at: event.occurred_at, last_at: event.occurred_at, first_event_id: event.id, last_event_id: event.id },
});

/** Returns the findings of one rule and key that count, and the window after them. */
const judge = (
  findings: readonly Finding[],
  before: readonly string[],
): { readonly window: readonly string[]; readonly match?: IncidentMatch } => {
  let window = before;
  let match: IncidentMatch | undefined;
  for (const finding of findings) {
    const { found, isMet } = addFinding(finding.rule, window, finding.event.occurred_at);
    window = found;
    if (!isMet) continue;
    const { occurred_at: last_at, id: last_event_id } = finding.event;
    match = match === undefined ? asMatch(finding, 1) : { ...match, count: match.count + 1, last_at, last_event_id };
  }
  return { window, ...(match === undefined ? {} : { match }) };
};

/**
 * Finds events that rules open incidents for. The findings are stored in the transaction that moves the position in the feed, so each event
 * counts once, also after a crash; a job opens the incidents.
 */
export const matchIncidentRules: EventConsumer = {
  name: 'incident-rules',
  begins: 'now',
  interest: isMatchable,
  lookEveryMs: 1_000,
  take: async (tx, events) => {
    const rules = await readRules(tx, [...new Set(events.map(({ event }) => event.organization_id))]);
    const byKey = Map.groupBy(
      events.flatMap(({ event }) => readFindings(event, rules)),
      getText,
    );
    const counting = [...byKey.values()].flatMap(([first]) => (first === undefined || first.rule.count === 1 ? [] : [first]));
    const keys = counting.map(({ organization_id, rule_id, key_value }) => ({ organization_id, rule_id, key_value }));
    const windows = new Map((await readWindows(tx, keys)).map((row) => [getText(row), row.found_at]));
    const matches: IncidentMatch[] = [];
    const changed: WindowRow[] = [];
    for (const [key, findings] of byKey) {
      const { window, match } = judge(findings, windows.get(key) ?? []);
      if (match !== undefined) matches.push(match);
      const last = findings.at(-1);
      if (last === undefined || last.rule.count === 1) continue;
      const { organization_id, rule_id, key_value, event } = last;
      changed.push({ organization_id, rule_id, key_value, found_at: window, last_at: event.occurred_at });
    }
    await writeWindows(tx, changed);
    await leaveMatches(tx, matches);
  },
};
