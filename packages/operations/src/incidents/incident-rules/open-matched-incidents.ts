import type { IncidentRule } from '@svc/contract/incidents/incident-rules/incident-rules.ts';
import type { IncidentSubject } from '@svc/contract/incidents/incidents/incident-shapes.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import {
  COLLECTING,
  countAutomatic,
  countInRuleEntry,
  findToolId,
  lockActiveIncident,
  lockResolvedIncident,
} from '@svc/postgres/incidents/incident-rules/automatic-incidents.ts';
import { forgetWindows, type IncidentMatch, takeMatches } from '@svc/postgres/incidents/incident-rules/incident-matches.ts';
import { findIncidentRule } from '@svc/postgres/incidents/incident-rules/incident-rules.ts';
import { insertEntry } from '@svc/postgres/incidents/incidents/entries.ts';
import {
  countOpenIncidents,
  type IncidentRow,
  insertIncident,
  setFollowed,
  updateIncidentRow,
} from '@svc/postgres/incidents/incidents/incidents.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import { buildLifecycleEvent, changeLifecycle } from '../../agents/agents/change-lifecycle.ts';
import { buildIncidentEvent } from '../incidents/take-incident.ts';

type Opening = Change<'incident.created' | 'incident.updated' | 'agent.paused'>;

const { openedPerHourMax, pausedPerHourMax, takenMax, withinSecondsMax } = LIMITS.incidentRules;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** Numbers of findings at which an event reports that an incident grows. */
const ANNOUNCED = [10, 100, 1_000, 10_000];
const SYSTEM = { type: 'SYSTEM', id: 'system' } as const;

const SUBJECT_TYPES = { AGENT: 'agent', TOOL: 'tool', ENVIRONMENT: 'environment', MCP_SERVER: 'mcp_server' } as const;

const findSubjects = async (
  { tx }: Opening,
  { organization_id, key_value }: IncidentMatch,
  rule: IncidentRule,
): Promise<IncidentSubject[]> => {
  const id = rule.key === 'TOOL' ? await findToolId(tx, organization_id, rule.environment_id, key_value) : key_value;
  return id === undefined ? [] : [{ type: SUBJECT_TYPES[rule.key], id }];
};

type Entry = { readonly data: Readonly<Record<string, unknown>>; readonly count?: number; readonly foldKey?: string };

const addEntry = (
  { tx }: Opening,
  { organization_id, workspace_id, environment_id, id }: Pick<IncidentRow, 'organization_id' | 'workspace_id' | 'environment_id' | 'id'>,
  { first_at, last_at, first_event_id }: IncidentMatch,
  { data, count = 1, foldKey }: Entry,
): Promise<void> =>
  insertEntry(tx, {
    ...{ organization_id, workspace_id, environment_id, incident_id: id, id: newId('incident_entry'), kind: 'RULE' },
    ...{ at: first_at, last_at, event_id: first_event_id, count, fold_key: foldKey ?? null, data: JSON.stringify(data) },
  });

/** Counts findings in an incident; events report only each power of ten. */
const countFindings = async (change: Opening, incident: IncidentRow, match: IncidentMatch, now: Date): Promise<void> => {
  const { tx, emit } = change;
  const matches = incident.matches + match.count;
  await updateIncidentRow(tx, incident.organization_id, incident.id, { matches, updated_at: now });
  await countInRuleEntry(tx, incident.organization_id, incident.id, match.count, match.last_at);
  const passed = ANNOUNCED.filter((mark) => incident.matches < mark && mark <= matches).at(-1);
  if (passed === undefined) return;
  await addEntry(change, incident, match, { data: { change: 'matched_again', matches } });
  emit('incident.updated', buildIncidentEvent(incident, { change: 'matched_again', matches, rule_id: incident.rule_id }));
};

const reopen = async (change: Opening, incident: IncidentRow, match: IncidentMatch, now: Date): Promise<void> => {
  const { resolution, summary, resolved_at } = incident;
  await updateIncidentRow(change.tx, incident.organization_id, incident.id, {
    ...{ status: 'OPEN', resolution: null, duplicate_of: null, summary: null, left_in_force: [], resolved_at: null, updated_at: now },
  });
  await addEntry(change, incident, match, { data: { change: 'reopened', type: match.event_type } });
  const before = { status: incident.status, resolution, summary, resolved_at };
  const data = { change: 'reopened', before, after: { status: 'OPEN', resolved_at: null }, rule_id: incident.rule_id };
  change.emit('incident.updated', buildIncidentEvent(incident, data));
  await countFindings(change, incident, match, now);
};

type NewIncident = Pick<IncidentRow, 'workspace_id' | 'environment_id' | 'title' | 'severity' | 'rule_id' | 'rule_key'> & {
  readonly description: string;
  readonly subjects: readonly IncidentSubject[];
};

const open = async (change: Opening, match: IncidentMatch, given: NewIncident, now: Date): Promise<IncidentRow['id']> => {
  const { tx, emit } = change;
  const { organization_id, count } = match;
  const { subjects, ...columns } = given;
  const id = newId('incident');
  await insertIncident(tx, {
    ...{ ...columns, organization_id, id, drill: false, matches: count, subjects: JSON.stringify(subjects) },
    ...{ opened_by_type: SYSTEM.type, opened_by_id: given.rule_id ?? SYSTEM.id, created_at: now, updated_at: now },
  });
  await setFollowed(tx, organization_id, id, [id, ...subjects.map((subject) => subject.id)]);
  await addEntry(change, { ...columns, organization_id, id }, match, {
    data: { change: 'opened', type: match.event_type, rule_id: given.rule_id },
    ...{ count, foldKey: 'rule' },
  });
  const data = { title: given.title, incident_severity: given.severity, subjects, rule_id: given.rule_id, rule_key: given.rule_key };
  const place = { id, workspace_id: given.workspace_id, environment_id: given.environment_id, drill: false };
  emit('incident.created', buildIncidentEvent(place, data, given.severity === 'CRITICAL' ? 'critical' : undefined));
  return id;
};

/** Counts findings beyond the hourly number of incidents in one incident of the whole organization. */
const collect = async (change: Opening, match: IncidentMatch, now: Date): Promise<void> => {
  const { rule_id, rule_key } = COLLECTING;
  const active = await lockActiveIncident(change.tx, match.organization_id, rule_id, rule_key);
  if (active) return countFindings(change, active, match, now);
  await open(
    change,
    match,
    {
      ...{ workspace_id: null, environment_id: null, severity: 'CRITICAL', rule_id, rule_key, subjects: [] },
      title: 'Rules match more than they open incidents for',
      description: `Rules open at most ${openedPerHourMax} incidents in an hour. This one counts the other findings.`,
    },
    now,
  );
};

/** Pauses the agent of the key. A rule does nothing else by itself, and pauses at most a few agents per hour. */
const contain = async (change: Opening, match: IncidentMatch, rule: IncidentRule, incidentId: string, pausedBefore: number, now: Date) => {
  const { tx, emit } = change;
  const { organization_id, key_value: agentId } = match;
  const place = { organization_id, workspace_id: rule.workspace_id, environment_id: rule.environment_id, id: incidentId };
  const isBeyond = pausedBefore >= pausedPerHourMax;
  const changed = isBeyond
    ? undefined
    : await changeLifecycle(tx, { organizationId: organization_id, agentId, operation: 'pause', by: SYSTEM, now });
  if (changed === undefined || isRefusal(changed)) {
    const why = isBeyond ? `Rules pause at most ${pausedPerHourMax} agents in an hour.` : 'The agent is not active.';
    await addEntry(change, place, match, { data: { change: 'agent_not_paused', agent_id: agentId, reason: why } });
    return;
  }
  const reason = `Paused by the rule ${rule.name} (${rule.id}), last changed by ${rule.updated_by}.`;
  const { data, ...it } = buildLifecycleEvent(changed, reason);
  emit('agent.paused', { ...it, data: { ...data, rule_id: rule.id, rule_changed_by: rule.updated_by, incident_id: incidentId } });
  await updateIncidentRow(tx, organization_id, incidentId, { agent_paused_at: now });
  await addEntry(change, place, match, { data: { change: 'agent_paused', agent_id: agentId, reason } });
};

const openOne = async (change: Opening, match: IncidentMatch, rule: IncidentRule, now: Date): Promise<void> => {
  const { organization_id, key_value } = match;
  const active = await lockActiveIncident(change.tx, organization_id, rule.id, key_value);
  if (active) return countFindings(change, active, match, now);
  const since = new Date(now.getTime() - rule.reopen_minutes * MINUTE_MS);
  const resolved =
    rule.reopen_minutes === 0
      ? undefined
      : await lockResolvedIncident(change.tx, organization_id, { ruleId: rule.id, key: key_value, since });
  if (resolved)
    return resolved.resolution === 'FALSE_ALARM' ? countFindings(change, resolved, match, now) : reopen(change, resolved, match, now);
  const { opened, paused } = await countAutomatic(change.tx, organization_id, new Date(now.getTime() - HOUR_MS));
  const { openMax } = LIMITS.incidents;
  if (opened >= openedPerHourMax || (await countOpenIncidents(change.tx, organization_id, openMax)) >= openMax)
    return collect(change, match, now);
  const subjects = await findSubjects(change, match, rule);
  const { workspace_id, environment_id, name: title, severity, id: rule_id } = rule;
  const description = `Opened by a rule: ${rule.condition}, ${rule.count} within ${rule.within_seconds} seconds.`;
  const given = { workspace_id, environment_id, title, severity, description, rule_id, rule_key: key_value, subjects };
  const incidentId = await open(change, match, given, now);
  if (rule.contain === 'PAUSE_AGENT') await contain(change, match, rule, incidentId, paused, now);
};

/** Adds findings of rules to incidents. One writer per organization at a time. Returns true while there are more. */
export const openMatchedIncidents = async (change: Opening, organizationId: string, now: Date): Promise<boolean> => {
  const matches = await takeMatches(change.tx, organizationId, takenMax);
  for (const match of matches) {
    const rule = await findIncidentRule(change.tx, organizationId, match.rule_id);
    if (rule?.enabled) await openOne(change, match, rule, now);
  }
  await forgetWindows(change.tx, organizationId, new Date(now.getTime() - withinSecondsMax * 1_000));
  return matches.length === takenMax;
};
