import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { getAddressGroup } from '@svc/domain/people/auth/address-group.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { type CliApprover, redeemCliDecision } from '@svc/postgres/people/cli/decisions.ts';
import type { CliRequestRow } from '@svc/postgres/people/cli/requests.ts';
import { endSurplus } from '@svc/postgres/people/sessions/end-surplus.ts';
import { listSourceAddresses } from '@svc/postgres/people/sessions/own-sessions.ts';
import { type Opening, openSession } from '../auth/open-session.ts';
import type { MailService } from '../mail/mail-service.ts';
import type { Posting } from '../mail/post-mail.ts';
import { postNotice } from '../mail/post-notice.ts';

type IssueCliSessionRequest = {
  readonly row: Pick<CliRequestRow, 'id' | 'flow'>;
  readonly approver: CliApprover;
  /** A session that may begin now. It expires no later than that of the approver. */
  readonly opening: Opening;
  readonly posting: Posting;
};

type Member = { readonly organizationId: string; readonly userId: string };

export const CLI_REQUEST_USED = buildRefusal('GONE', 'This command-line request was already used or has ended. Start again.');

/** True if no known session of the user came from the network of the address. */
const isNewNetwork = async (tx: TenantTransaction, member: Member, sourceIp: string): Promise<boolean> => {
  const seen = await listSourceAddresses(tx, member);
  return !seen.some((address) => getAddressGroup(address) === getAddressGroup(sourceIp));
};

/** Redeems an approved command-line request once, for a session of the user who approved it. */
export const issueCliSession = async (
  { tx, emit }: Change<'cli.session_issued'>,
  { row, approver, opening: begun, posting }: IssueCliSessionRequest,
  desk: { readonly mail: MailService },
) => {
  const user = { id: approver.user_id, email: approver.email, name: approver.name };
  const organization = { id: approver.organization_id, name: approver.organization_name };
  const member = { organizationId: organization.id, userId: user.id };
  const { now, sourceIp } = posting;
  const expiresAt = new Date(Math.min(begun.expiresAt.getTime(), Date.parse(approver.expires_at)));
  const opening = { ...begun, expiresAt, approvedBySignInId: approver.sign_in_id };
  if (!(await redeemCliDecision(tx, { organization_id: organization.id, request_id: row.id }, opening.id, now))) return CLI_REQUEST_USED;
  const isNew = await isNewNetwork(tx, member, sourceIp);
  const login = { user, organization, rights: approver, epoch: approver.epoch, vouchedAmr: approver.vouched_amr };
  const session = await openSession(tx, opening, login, approver.amr);
  const ended = await endSurplus(tx, member, now);
  const data = { session_id: opening.id, request_id: row.id, flow: row.flow, source_ip: sourceIp };
  emit('cli.session_issued', { ...about.user(user), data: { ...data, ...(ended.length > 0 ? { sessions_ended: ended } : {}) } });
  if (isNew) await postNotice(desk, posting, tx, { what: 'terminal', to: user.email, organizationId: organization.id });
  return session;
};
