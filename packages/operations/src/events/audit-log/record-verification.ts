import type { Verification } from '@svc/contract/events/audit-log.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';

type VerificationResult = { readonly organizationId: string; readonly verification: Verification };

/** Records the result of a verification of the audit log, without the findings themselves. */
export const recordVerification = async (
  { emit }: Change<'audit.integrity_verified'>,
  { organizationId, verification }: VerificationResult,
): Promise<void> => {
  const { findings, checkpoint: _, records, ...result } = verification;
  emit('audit.integrity_verified', {
    ...about.organization({ id: organizationId }),
    ...(verification.intact ? {} : { severity: 'critical' }),
    data: {
      ...result,
      ...(records === undefined ? {} : { records: records.length }),
      findings: findings.length,
      kinds: [...new Set(findings.map(({ kind }) => kind))],
    },
  });
};
