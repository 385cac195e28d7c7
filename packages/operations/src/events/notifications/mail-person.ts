import { buildConsolePath } from '@svc/contract/tables/console-routes.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { mayApprove, mayDecide } from '@svc/domain/actions/approvals/approver-role.ts';
import { KINDS } from '@svc/domain/events/notifications/kinds.ts';
import { quietUntil, resolvePreferences } from '@svc/domain/events/notifications/preferences.ts';
import { findSubjectPage, writeSentence, writeSummary } from '@svc/domain/events/notifications/sentences.ts';
import { findExclusionsOfEach } from '@svc/postgres/actions/approvals/exclusions.ts';
import type { TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import {
  type DueNotification,
  findRecipient,
  lockDue,
  putOffMails,
  type Recipient,
  settleMails,
} from '@svc/postgres/events/notifications/due-mails.ts';
import { takeMailTurn } from '@svc/postgres/events/notifications/preferences.ts';
import type { MailService } from '../../people/mail/mail-service.ts';
import { type Mail, type Posting, postMail } from '../../people/mail/post-mail.ts';

type Deps = { readonly mail: MailService };
type Whom = { readonly organizationId: string; readonly userId: string };

/** People who may not approve, by approval. */
type ExcludedBy = Awaited<ReturnType<typeof findExclusionsOfEach>>;

/** True if an approval is still pending and the person may decide it. */
const isTheirs = ({ role, user_id }: Recipient, { subject_id, asked }: DueNotification, excluded: ExcludedBy): boolean => {
  if (role === null || excluded.get(subject_id ?? '')?.excluded.has(user_id) === true) return false;
  if (subject_id === null) return mayApprove(role);
  return asked !== null && (mayDecide(role, asked.roles) || asked.people.includes(user_id));
};

/** True by the person's current permissions and preferences, not those at the time of the notice. */
const isToBeMailed = (recipient: Recipient, due: DueNotification, excluded: ExcludedBy): boolean => {
  const { permissions, workspace_ids } = recipient;
  const { kind, workspace_id } = due;
  return (
    KINDS[kind].reads.every((read) => permissions.includes(read)) &&
    (workspace_ids === null || (workspace_id !== null && workspace_ids.includes(workspace_id))) &&
    resolvePreferences(recipient.preferences).kinds[kind].mail !== 'OFF' &&
    (kind !== 'approval_waiting' || isTheirs(recipient, due, excluded))
  );
};

const getCount = ({ gathered, gathered_mailed }: DueNotification): number => (gathered === 0 ? 1 : gathered - gathered_mailed);

const getMail = (desk: MailService, recipient: Recipient, due: readonly DueNotification[]): Mail<'notification' | 'notifications'> => {
  const { email, is_proved, organization_name } = recipient;
  const service = desk.service();
  // An unproved address gets no names that users chose.
  const common = { service, organization: is_proved ? organization_name : 'one of your organizations' };
  const [first] = due;
  if (due.length === 1 && first !== undefined && first.gathered === 0 && is_proved) {
    const what = writeSentence(first.kind, { facts: first.facts, count: null });
    return {
      to: email,
      template: 'notification',
      values: { ...common, what, link: `${service}${findSubjectPage(first.kind, first.subject_id)}` },
    };
  }
  const counts = new Map<DueNotification['kind'], number>();
  for (const each of due) counts.set(each.kind, (counts.get(each.kind) ?? 0) + getCount(each));
  return {
    to: email,
    template: 'notifications',
    values: { ...common, what: writeSummary(counts), link: `${service}${buildConsolePath('inbox')}` },
  };
};

/**
 * Enqueues one mail with everything that a person should be mailed about one organization: many notices become one sentence with a count.
 * It is delayed in quiet hours and until their interval is over. Notifications that they may no longer see are not mailed.
 */
export const mailPerson = async (deps: Deps, posting: Posting, tx: TenantTransaction, { organizationId, userId }: Whom): Promise<void> => {
  const { now } = posting;
  const locked = await lockDue(tx, organizationId, userId, now);
  const waiting = locked.flatMap(({ kind, subject_id, asked }) =>
    kind === 'approval_waiting' && subject_id !== null && asked !== null ? [subject_id] : [],
  );
  const excluded = await findExclusionsOfEach(tx, waiting);
  const recipient = await findRecipient(tx, organizationId, userId);
  const due = recipient === undefined ? [] : locked.filter((each) => isToBeMailed(recipient, each, excluded));
  const getIds = (some: readonly DueNotification[]) => some.map(({ id }) => id);
  await settleMails(tx, organizationId, getIds(locked.filter((each) => !due.includes(each))));
  if (recipient === undefined || due.length === 0) return;
  const quiet = quietUntil(resolvePreferences(recipient.preferences), now.getTime());
  const later = quiet === undefined ? [] : due.filter(({ kind }) => KINDS[kind].isUrgent !== true);
  if (quiet !== undefined) await putOffMails(tx, organizationId, getIds(later), new Date(quiet));
  const sent = due.filter((each) => !later.includes(each));
  if (sent.length === 0) return;
  const waitsUntil = await takeMailTurn(tx, userId, now);
  if (waitsUntil !== undefined) return putOffMails(tx, organizationId, getIds(sent), waitsUntil);
  const mail = getMail(deps.mail, recipient, sent);
  const isTaken = await postMail(deps, posting, tx, { ...mail, organizationId, share: 'notifications' });
  const retryAt = new Date(now.getTime() + LIMITS.notifications.mailIntervalSecondsMax * 1_000);
  await (isTaken ? settleMails(tx, organizationId, getIds(sent)) : putOffMails(tx, organizationId, getIds(sent), retryAt));
};
