import { getConditionRow } from '@svc/contract/incidents/incident-rules/conditions.ts';
import type { IncidentRule, NewIncidentRule } from '@svc/contract/incidents/incident-rules/incident-rules.ts';
import { buildRefusal, type Refusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createFullRefusal } from '@svc/domain/tenancy/organization/full-refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { countIncidentRules, findIncidentRule, insertIncidentRule } from '@svc/postgres/incidents/incident-rules/incident-rules.ts';
import { lockEnvironment } from '@svc/postgres/tenancy/environments.ts';
import type { CallContext } from '../../people/auth/acting.ts';

/** Refuses a caller who may not let a rule pause agents. */
export type RefuseContainment = () => Refusal<'STEP_UP_REQUIRED' | 'PERMISSION_DENIED'> | undefined;

type NewRule = CallContext & { readonly body: NewIncidentRule; readonly refuseContainment: RefuseContainment };

const { rulesMax } = LIMITS.incidentRules;
const FULL = `An environment has at most ${rulesMax} incident rules.`;

const readBodyFault = ({
  condition,
  score = null,
  code = null,
  key,
  contain = null,
}: NewIncidentRule): Refusal<'VALIDATION_FAILED'> | undefined => {
  const { keys, needs } = getConditionRow(condition);
  for (const [member, value] of Object.entries({ score, code })) {
    if (needs === member && value === null) return refuseBody(`/${member}`, `The condition ${condition} needs ${member}.`);
    if (needs !== member && value !== null) return refuseBody(`/${member}`, `The condition ${condition} has no ${member}.`);
  }
  if (key !== undefined && !keys.includes(key)) return refuseBody('/key', `The condition ${condition} is grouped by ${keys.join(' or ')}.`);
  if (contain !== null && (key ?? keys[0]) !== 'AGENT')
    return refuseBody('/contain', 'Only a rule that is grouped by AGENT pauses an agent.');
  return undefined;
};

/** Formats a rule for events. */
export const formatRuleForAudit = ({
  created_at: _,
  created_by: __,
  updated_at: ___,
  updated_by: ____,
  workspace_id: _____,
  ...rule
}: IncidentRule) => rule;

/** Adds a rule that opens incidents. */
export const createIncidentRule = async (
  { tx, emit }: Change<'risk.configuration_updated'>,
  { scope, actor, now, body, refuseContainment }: NewRule,
  id: string,
): Promise<IncidentRule | Refusal<'NOT_FOUND' | 'VALIDATION_FAILED' | 'UNPROCESSABLE' | 'PERMISSION_DENIED' | 'STEP_UP_REQUIRED'>> => {
  const { organization_id } = scope;
  const { environment_id, name, condition, severity, score = null, code = null, count = 1, within_seconds = 300, contain = null } = body;
  const environment = await lockEnvironment(tx, organization_id, environment_id);
  if (!environment) return buildRefusal('NOT_FOUND', 'The environment does not exist.');
  const refused = readBodyFault(body) ?? (contain === null ? undefined : refuseContainment());
  if (refused) return refused;
  const there = await countIncidentRules(tx, organization_id, environment_id);
  if (there >= rulesMax) return createFullRefusal('rules', there + 1, rulesMax, FULL);
  await insertIncidentRule(tx, {
    ...{ organization_id, id, workspace_id: environment.workspace_id, environment_id, name, condition, score, code, severity, contain },
    ...{ key: body.key ?? getConditionRow(condition).keys[0], count, within_seconds, reopen_minutes: body.reopen_minutes ?? 30 },
    ...{ created_by: actor.id, created_at: now, updated_by: actor.id, updated_at: now },
  });
  const rule = await findIncidentRule(tx, organization_id, id);
  if (!rule) throw new Error('the rule that was added was not found');
  emit('risk.configuration_updated', {
    ...about.incident_rule(rule),
    data: { before: {}, after: formatRuleForAudit(rule), reason: body.reason },
  });
  return rule;
};
