import type { NewSession } from '@svc/contract/people/auth.ts';
import { findBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { SECRET_PREFIXES } from '@svc/contract/tables/ids.ts';
import { hashSecret, newSecretToken } from '@svc/keyring/tokens/secret-token.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { insertSession } from '@svc/postgres/people/auth/sessions.ts';
import type { ControlDeps } from '../../../deps.ts';

/** Who signed in, and to which organization. */
export type SignedIn = {
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  readonly organization: { readonly id: string; readonly name: string };
  readonly roleId: string;
};

type Request = {
  readonly now: Date;
  readonly sourceIp: string;
  readonly userAgent: string | null;
  readonly newId: (noun: 'session') => string;
};

export type OpenedSession = { readonly id: string; readonly answer: NewSession };

/** Makes a session for somebody who just proved who they are; the token is in the answer and nowhere else. */
export const openSession = async (
  tx: TenantTransaction,
  { now, sourceIp, userAgent, newId }: Request,
  { settings }: ControlDeps,
  { user, organization, roleId }: SignedIn,
): Promise<OpenedSession> => {
  const id = newId('session');
  const token = newSecretToken(SECRET_PREFIXES.session);
  const expiresAt = new Date(now.getTime() + settings.sessionLifetimeSeconds * 1000);
  await insertSession(tx, {
    organization_id: organization.id,
    id,
    user_id: user.id,
    token_hash: hashSecret(token),
    expires_at: expiresAt,
    source_ip: sourceIp,
    user_agent: userAgent,
    now,
  });
  const answer: NewSession = {
    token,
    expires_at: expiresAt.toISOString(),
    user,
    organization,
    scope: { organization_id: organization.id, workspace_id: null, environment_id: null },
    permissions: [...(findBuiltInRole(roleId)?.permissions ?? [])],
  };
  return { id, answer };
};
