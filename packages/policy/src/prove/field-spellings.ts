import { getIdPattern } from '@svc/contract/tables/ids.ts';
import { DOTTED_NAME_PATTERN, TOOL_NAME_PATTERN } from '@svc/contract/tables/spellings.ts';
import { findField } from '../language/find-field.ts';

/** Requirements on a text at the boundary of the service, so that examples look realistic. */
const SPELLINGS: Readonly<Record<string, string>> = {
  'tool.name': TOOL_NAME_PATTERN,
  'tool.capability': DOTTED_NAME_PATTERN,
  'agent.id': getIdPattern('agent'),
  'workspace.id': getIdPattern('workspace'),
};

export const contractSpelling = (name: string): string | undefined => {
  const field = findField(name);
  return SPELLINGS[name] ?? ('fault' in field ? undefined : field.row.pattern);
};

/** Fields that the service itself fills for every request; an agent or a tool may leave out all others. */
const ALWAYS: ReadonlySet<string> = new Set([
  'principal.type',
  'principal.id',
  'agent.id',
  'agent.name',
  'agent.capabilities',
  'agent.created_days',
  'environment.type',
  'environment.mode',
  'workspace.id',
  'tool.name',
  'tool.capability',
  'tool.risk_rating',
  'tool.dangerous',
  'tool.kind',
  'capability',
  'approval.present',
  'time.hour',
  'time.clock',
  'time.weekday',
  'time.date',
]);

export const isAlwaysThere = (name: string): boolean => ALWAYS.has(name);
