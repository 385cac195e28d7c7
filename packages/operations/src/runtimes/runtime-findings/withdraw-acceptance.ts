import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { findRuntimeFinding, lockRuntimeFinding, updateRuntimeFinding } from '@svc/postgres/runtimes/runtime-findings.ts';
import { lockRuntime } from '@svc/postgres/runtimes/runtimes/runtimes.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { assessRuntime } from '../runtimes/assess-runtime.ts';

/** Ends the acceptance of a finding, which becomes open again. */
export const withdrawAcceptance = async (
  change: Change<EmittedBy<Endpoints['withdrawRuntimeFindingAcceptance']>>,
  { scope, now, findingId }: CallContext & { readonly findingId: string },
) => {
  const { tx, emit } = change;
  const { organization_id } = scope;
  const known = await findRuntimeFinding(tx, organization_id, findingId);
  const runtime = known && (await lockRuntime(tx, organization_id, known.runtime_id));
  const finding = runtime && (await lockRuntimeFinding(tx, organization_id, findingId));
  if (!finding) return buildRefusal('NOT_FOUND');
  if (finding.status !== 'ACCEPTED') {
    const details = { operation: 'withdraw', from: finding.status, allowed_from: ['ACCEPTED'] };
    return buildRefusal('INVALID_STATE_TRANSITION', 'The risk of the finding is not accepted.', details);
  }
  const withdrawn = await updateRuntimeFinding(tx, organization_id, findingId, {
    ...{ status: 'OPEN', acceptance_ended_at: now, acceptance_ended_because: 'WITHDRAWN' },
  });
  const { kind, severity, runtime_id } = finding;
  emit('risk.acknowledged', { ...about.runtime_finding(finding), data: { runtime_id, kind, severity, acceptance: 'WITHDRAWN' } });
  await assessRuntime(change, runtime, { now, cause: 'ACCEPTED' });
  return withdrawn;
};
