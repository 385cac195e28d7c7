import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, EndpointBody } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, refuseBody } from '@svc/contract/rows/refusal.ts';
import { UNACCEPTABLE_FINDINGS } from '@svc/contract/runtimes/runtimes/vocabulary.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findRuntimeFinding, lockRuntimeFinding, updateRuntimeFinding } from '@svc/postgres/runtimes/runtime-findings.ts';
import { lockRuntime } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { assessRuntime } from '../runtimes/assess-runtime.ts';

type AcceptRequest = CallContext & { readonly findingId: string; readonly body: EndpointBody<Endpoints['acceptRuntimeFinding']> };

const { defaultAcceptanceDays, criticalAcceptanceDaysMax } = LIMITS.runtimeFindings;
const DAY_MS = 86_400_000;

/** Accepts the risk of a finding until a day. The acceptance is bound to the evidence: a change of it ends the acceptance. */
export const acceptFinding = async (
  change: Change<EmittedBy<Endpoints['acceptRuntimeFinding']>>,
  { scope, actor, now, findingId, body }: AcceptRequest,
) => {
  const { tx, emit } = change;
  const { organization_id } = scope;
  const known = await findRuntimeFinding(tx, organization_id, findingId);
  const runtime = known && (await lockRuntime(tx, organization_id, known.runtime_id));
  const finding = runtime && (await lockRuntimeFinding(tx, organization_id, findingId));
  if (!finding) return buildRefusal('NOT_FOUND');
  const details = { operation: 'accept', from: finding.status, allowed_from: ['OPEN', 'ACCEPTED'] };
  if (finding.status === 'RESOLVED') return buildRefusal('INVALID_STATE_TRANSITION', 'The finding is resolved.', details);
  if (UNACCEPTABLE_FINDINGS.includes(finding.kind))
    return buildRefusal('INVALID_STATE_TRANSITION', 'The risk of this kind of finding cannot be accepted.', {
      ...details,
      kind: finding.kind,
    });
  const isCritical = finding.severity === 'CRITICAL';
  const days = body.expires_in_days ?? (isCritical ? criticalAcceptanceDaysMax : defaultAcceptanceDays);
  if (isCritical && days > criticalAcceptanceDaysMax)
    return refuseBody('/expires_in_days', `must be at most ${criticalAcceptanceDaysMax} for a critical finding`);
  const until = new Date(now.getTime() + days * DAY_MS);
  const accepted = await updateRuntimeFinding(tx, organization_id, findingId, {
    ...{ status: 'ACCEPTED', accepted_by: actor.id, accepted_at: now, accepted_reason: body.reason, accepted_until: until },
    ...{ accepted_hash: finding.evidence_hash, acceptance_ended_at: null, acceptance_ended_because: null },
  });
  const { kind, severity, runtime_id } = finding;
  const data = { runtime_id, kind, severity, reason: body.reason, expires_at: until.toISOString(), evidence_hash: finding.evidence_hash };
  emit('risk.acknowledged', { ...about.runtime_finding(finding), data: { ...data, acceptance: 'GIVEN' } });
  await assessRuntime(change, runtime, { now, cause: 'ACCEPTED' });
  return accepted;
};
