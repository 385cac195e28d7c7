import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { TenantScope, TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { inWholeOrganization } from '@svc/postgres/connection/in-whole-organization.ts';
import { listAddresses } from '@svc/postgres/people/members/list-addresses.ts';
import type { MailService } from './mail-service.ts';
import { type Posting, postMail } from './post-mail.ts';

const OWNER = getBuiltInRole('owner').id;
const ADMIN = getBuiltInRole('admin').id;

type Desk = { readonly mail: MailService };

/** A request that mails people of its organization. */
export type Requesting = Posting & {
  readonly scope: TenantScope;
  readonly actor: { readonly id: string; readonly name: string | null };
  readonly organizationName: string;
};

const getName = ({ actor }: Requesting): string => actor.name ?? actor.id;

const readAddresses = (tx: TenantTransaction, { scope }: Requesting, roleIds: readonly string[]): Promise<string[]> =>
  inWholeOrganization(tx, scope, () => listAddresses(tx, scope.organization_id, roleIds));

/**
 * Mails every owner that security settings changed, in the transaction of the change. `what` names the settings. A full queue of mails does
 * not stop the change.
 */
export const mailSecurityChange = async (desk: Desk, request: Requesting, tx: TenantTransaction, what: string): Promise<void> => {
  const organizationId = request.scope.organization_id;
  const values = {
    service: desk.mail.service(),
    organization: request.organizationName,
    what,
    who: getName(request),
    at: request.now.toISOString(),
    source_ip: request.sourceIp,
  };
  for (const to of await readAddresses(tx, request, [OWNER]))
    await postMail(desk, request, tx, { to, template: 'security-settings-changed', values, organizationId });
};

/** Mails every owner and administrator that an invitation of an API key awaits confirmation. */
export const mailAwaitingInvitation = async (
  desk: Desk,
  request: Requesting,
  tx: TenantTransaction,
  { email, role }: { readonly email: string; readonly role: string },
): Promise<void> => {
  const organizationId = request.scope.organization_id;
  const service = desk.mail.service();
  const values = {
    ...{ service, email, role, organization: request.organizationName, key: getName(request) },
    ...{ days: String(LIMITS.invitations.lifetimeDays), link: `${service}${buildConsolePath('members')}` },
  };
  for (const to of await readAddresses(tx, request, [OWNER, ADMIN]))
    await postMail(desk, request, tx, { to, template: 'invitation-to-confirm', values, organizationId });
};
