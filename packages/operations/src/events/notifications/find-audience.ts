import { formatAmount } from '@svc/contract/tables/currencies.ts';
import { describeDeciders } from '@svc/domain/events/notifications/describe-deciders.ts';
import { KINDS } from '@svc/domain/events/notifications/kinds.ts';
import type { SentenceFacts } from '@svc/domain/events/notifications/sentences.ts';
import { findExclusions } from '@svc/postgres/actions/approvals/exclusions.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import type { NoticeAudience } from '@svc/postgres/events/notifications/find-recipients.ts';
import { findSubjectName, findWaitingApproval } from '@svc/postgres/events/notifications/find-subject.ts';
import type { Notice } from '@svc/postgres/events/notifications/notices.ts';

/** Recipients of a notice, and additional facts for its sentence. */
export type Addressed = { readonly audience: NoticeAudience; readonly facts: SentenceFacts };

type Named = Pick<Notice, 'organization_id' | 'subject_id'>;

const ofApproval = async (tx: TenantTransaction, notice: Notice, everybody: NoticeAudience, now: Date): Promise<Addressed | undefined> => {
  const { organization_id, subject_id } = notice;
  const approval = await findWaitingApproval(tx, organization_id, subject_id, now);
  if (approval === undefined) return undefined;
  const { agent, tool, amount, currency, approver_roles, people, role_names, quorum, expires_at } = approval;
  const { excluded } = await findExclusions(tx, subject_id);
  const except = [...excluded.keys()];
  const told = formatAmount(amount, currency);
  const { because, roles } = notice.facts;
  const facts = {
    ...{ agent, tool, who: describeDeciders({ role_names, people, quorum }), expires_at },
    ...(told === undefined ? {} : { amount: told }),
    ...(because === undefined ? {} : { because }),
  };
  if (notice.kind === 'approval_question') return { audience: { ...everybody, except }, facts };
  // Only those whom it concerns by name; everyone else who is asked was notified before.
  if (everybody.people.length > 0) return { audience: { ...everybody, isNamedOnly: true, except }, facts };
  const asked = because === 'escalated' ? (roles ?? '').split(' ') : approver_roles;
  return { audience: { ...everybody, roles: asked, people: because === 'escalated' ? [] : people, except }, facts };
};

/** The subject whose name the sentence of a kind contains; an emergency stop is about an agent or an environment. */
const namedSubjectType = ({ kind, subject_type, facts }: Notice): Parameters<typeof findSubjectName>[2]['type'] | undefined => {
  if (kind === 'webhook_failing') return 'webhook_subscription';
  if (kind === 'channel_failing') return 'notification_channel';
  if (kind === 'mcp_server_quarantined') return 'mcp_server';
  if (kind === 'emergency' && facts.control !== undefined) return undefined;
  if (kind === 'emergency') return subject_type === 'agent' ? 'agent' : 'environment';
  return undefined;
};

const readName = async (
  tx: TenantTransaction,
  { organization_id, subject_id }: Named,
  type: Parameters<typeof findSubjectName>[2]['type'],
): Promise<{ name: string } | undefined> => {
  const name = await findSubjectName(tx, organization_id, { type, id: subject_id });
  return name === undefined ? undefined : { name };
};

/** Returns the recipients; undefined if the notice is outdated: decided, or gone. */
export const listRecipients = async (tx: TenantTransaction, notice: Notice, now: Date): Promise<Addressed | undefined> => {
  const { organization_id, workspace_id, kind, facts } = notice;
  const { reads, told } = KINDS[kind];
  const { people = '', ...more } = facts;
  const named = people === '' ? [] : people.split(' ');
  const audience: NoticeAudience = { organization_id, workspace_id, reads, holds: told, people: named, roles: null, except: [] };
  if (kind === 'approval_waiting' || kind === 'approval_question') return ofApproval(tx, notice, audience, now);
  const what = namedSubjectType(notice);
  if (what === undefined) return { audience, facts: more };
  const name = await readName(tx, notice, what);
  return name && { audience, facts: { ...more, what, ...name } };
};
