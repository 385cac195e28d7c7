import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { type Change, type KeptRefusal, keep } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';

export type SignInFailure = {
  /** The user of the account, if it exists. It is the subject of the event, not the actor: who tried is not known. */
  readonly userId: string | undefined;
  readonly sourceIp: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly message?: string | undefined;
  /** Writes in the same transaction, such as a counter of failures. */
  readonly write?: ((tx: TenantTransaction) => Promise<void>) | undefined;
};

/** Records a failed sign-in and refuses it. */
export const recordSignInFailure = async (
  { tx, emit }: Change<'user.login_failed'>,
  { userId = 'unknown', sourceIp, data, message, write }: SignInFailure,
): Promise<KeptRefusal<Refusal<'INVALID_CREDENTIALS'>>> => {
  await write?.(tx);
  emit('user.login_failed', { ...about.user({ id: userId }), data: { source_ip: sourceIp, ...data } });
  return keep(buildRefusal('INVALID_CREDENTIALS', message));
};
