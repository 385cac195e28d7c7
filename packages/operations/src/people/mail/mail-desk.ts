import type { KeyObject } from 'node:crypto';
import { type Refusal, refusal } from '@svc/contract/rows/refusal.ts';

/** Where changes leave their mails. */
export type MailDesk = {
  /** What becomes of them; with `none` they are not even kept. */
  readonly kind: 'smtp' | 'outbox' | 'none';
  /** Seals what a mail says and to whom. */
  readonly sealingKey: KeyObject;
  /** Tells recipients apart. */
  readonly digestKey: KeyObject;
  /** Public address of the control plane, as mails name it. */
  readonly service: () => string;
};

/** What a row that cannot do without mail answers where none is sent; asked before anything else is done. */
export const refuseWithoutMail = ({ kind }: Pick<MailDesk, 'kind'>): Refusal<'UNPROCESSABLE'> | undefined =>
  kind === 'none'
    ? refusal('UNPROCESSABLE', 'This requires a mail, but this service does not send mails (SVC_MAIL=none). The operator can set SMTP_URL.')
    : undefined;

/** As answers tell whoever waits for a mail where it is; only asked where mails are kept. */
export const transportTold = ({ kind }: Pick<MailDesk, 'kind'>): 'SMTP' | 'OUTBOX' => (kind === 'smtp' ? 'SMTP' : 'OUTBOX');
