import type { KeyObject } from 'node:crypto';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';

/** Outbox in which changes enqueue mails. */
export type MailService = {
  /** Transport of mails; with `none` they are not stored either. */
  readonly kind: 'smtp' | 'outbox' | 'none';
  /** Seals the content and the recipient of a mail. */
  readonly sealingKey: KeyObject;
  /** Distinguishes recipients. */
  readonly digestKey: KeyObject;
  /** Public address of the control plane for mails. */
  readonly service: () => string;
};

/** Refuses an operation that needs mail if none is sent; checked before anything else. */
export const refuseWithoutMail = ({ kind }: Pick<MailService, 'kind'>): Refusal<'UNPROCESSABLE'> | undefined =>
  kind === 'none'
    ? buildRefusal(
        'UNPROCESSABLE',
        'This requires a mail, but this service does not send mails (SVC_MAIL=none). The operator can set SMTP_URL.',
      )
    : undefined;

/** Returns the transport for responses that refer to a mail; only called if mails are stored. */
export const getMailTransport = ({ kind }: Pick<MailService, 'kind'>): 'SMTP' | 'OUTBOX' => (kind === 'smtp' ? 'SMTP' : 'OUTBOX');
