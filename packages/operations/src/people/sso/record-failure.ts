import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';

/** Who acts while it is not known who it is. */
export const SYSTEM = { type: 'SYSTEM', id: 'system', name: null } as const;

/** The one answer, whatever was wrong; what it was is on record and in the log. */
export const UNBELIEVABLE = 'The response of the provider could not be verified, so the sign-in was refused.';

/** On record as what the organization's provider did; who it was is not known. */
export const tellFailure = (
  { emit }: Pick<Change<'user.login_failed'>, 'emit'>,
  { sourceIp }: { readonly sourceIp: string },
  why: string,
): void =>
  emit('user.login_failed', {
    ...about.user({ id: 'unknown' }),
    data: { source_ip: sourceIp, sso: why, reason: 'PROVIDER_RESPONSE_INVALID' },
  });
