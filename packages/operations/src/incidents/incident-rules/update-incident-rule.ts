import type { IncidentRule, IncidentRuleChange } from '@svc/contract/incidents/incident-rules/incident-rules.ts';
import { buildRefusal, type Refusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import {
  deleteIncidentRuleRow,
  findIncidentRule,
  lockIncidentRule,
  updateIncidentRuleRow,
} from '@svc/postgres/incidents/incident-rules/incident-rules.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { formatRuleForAudit, type RefuseContainment } from './create-incident-rule.ts';

type ChangedRule = CallContext & {
  readonly ruleId: string;
  readonly body: IncidentRuleChange;
  readonly refuseContainment: RefuseContainment;
};

/** Changes a rule except for its condition. */
export const updateIncidentRule = async (
  { tx, emit }: Change<'risk.configuration_updated'>,
  { scope, actor, now, ruleId, body, refuseContainment }: ChangedRule,
): Promise<IncidentRule | Refusal<'NOT_FOUND' | 'VALIDATION_FAILED' | 'PERMISSION_DENIED' | 'STEP_UP_REQUIRED'>> => {
  const { organization_id } = scope;
  const before = await lockIncidentRule(tx, organization_id, ruleId);
  if (!before) return buildRefusal('NOT_FOUND');
  const { reason, name = before.name, severity = before.severity, contain = before.contain, enabled = before.enabled } = body;
  if (contain !== null && before.key !== 'AGENT') return refuseBody('/contain', 'Only a rule that is grouped by AGENT pauses an agent.');
  const refused = contain === null ? undefined : refuseContainment();
  if (refused) return refused;
  await updateIncidentRuleRow(tx, organization_id, ruleId, { name, severity, contain, enabled, updated_by: actor.id, updated_at: now });
  const after = await findIncidentRule(tx, organization_id, ruleId);
  if (!after) return buildRefusal('NOT_FOUND');
  emit('risk.configuration_updated', {
    ...about.incident_rule(after),
    data: { before: formatRuleForAudit(before), after: formatRuleForAudit(after), reason },
  });
  return after;
};

/** Deletes a rule. */
export const deleteIncidentRule = async (
  { tx, emit }: Change<'risk.configuration_updated'>,
  { scope, ruleId, reason }: CallContext & { readonly ruleId: string; readonly reason: string },
): Promise<IncidentRule | Refusal<'NOT_FOUND'>> => {
  const rule = await lockIncidentRule(tx, scope.organization_id, ruleId);
  if (!rule) return buildRefusal('NOT_FOUND');
  await deleteIncidentRuleRow(tx, scope.organization_id, ruleId);
  emit('risk.configuration_updated', { ...about.incident_rule(rule), data: { before: formatRuleForAudit(rule), after: {}, reason } });
  return rule;
};
