import { sql } from 'kysely';
import type { Database } from '../../connection/connect.ts';
import { hasFactorInOrganization } from '../second-factors/counts-in.ts';

/** The invitation shown to the holder of its code. */
export type OpenInvitation = {
  readonly organization_id: string;
  readonly organization_name: string;
  readonly id: string;
  readonly email: string;
  readonly role: { readonly id: string; readonly name: string };
  readonly invited_by: string | null;
  readonly expires_at: string;
  /** The account that the address has, if any. */
  readonly account: {
    readonly id: string;
    readonly name: string;
    readonly password_hash: string | null;
    readonly session_epoch: number;
    readonly password_changed_at: string;
    readonly has_factor: boolean;
    /** True if the address was proved. */
    readonly is_proved: boolean;
  } | null;
};

/** The invitation of a code that is still good, to an organization that does not wait for its end. */
export const findInvitationByCode = async (identity: Database, codeHash: Buffer, now: Date): Promise<OpenInvitation | undefined> => {
  const { rows } = await sql<OpenInvitation>`
    select i.organization_id, o.name as organization_name, i.id, i.email, i.expires_at,
           json_build_object('id', i.role_id, 'name', coalesce(r.name, i.role_id)) as role, coalesce(b.name, k.name) as invited_by,
           case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'password_hash', u.password_hash,
             'session_epoch', u.session_epoch, 'password_changed_at', u.password_changed_at, 'is_proved', u.email_verified_at is not null,
             'has_factor', ${hasFactorInOrganization('u.id', sql`i.organization_id`)}) end as account
      from invitations i
      join organizations o on o.id = i.organization_id
      left join roles r on r.id = i.role_id and (r.organization_id is null or r.organization_id = i.organization_id)
      left join users b on b.id = i.invited_by
      left join api_keys k on k.organization_id = i.organization_id and k.id = i.invited_by
      left join users u on u.email = i.email
     where i.code_hash = ${codeHash} and not i.awaits_confirmation and i.ended_at is null and i.expires_at > ${now} and o.deletes_at is null`.execute(
    identity,
  );
  return rows[0];
};
