import type { KeyObject } from 'node:crypto';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { MailTransport, SendFault } from '@svc/mail/transports/mail-transport.ts';
import { openMail } from '@svc/operations/people/mail/sealed-mail.ts';
import { type ClaimedMail, claimMails, FIRST_PLACE, isMailDue } from '@svc/postgres/people/mail/claim-mail.ts';
import { settleFailed, settleSent, sweepMails } from '@svc/postgres/people/mail/settle-mail.ts';
import { newCounter } from '@svc/program/metrics/counter.ts';
import type { Metric } from '@svc/program/metrics/metric.ts';
import { type JobDeps, runPart } from '../jobs/job.ts';
import type { JobRound } from '../jobs/start-jobs.ts';

const { inFlightMax, sendMs, lookEveryMs } = LIMITS.mail;
const NAME = 'send-mails';
const UNREADABLE: SendFault = { fault: 'broken off', smtpCode: null, isFinal: true };

export type Mailer = {
  /** Finds mails and starts to send them; does not wait until they are sent. */
  readonly round: JobRound;
  /** Returns why the last mail could not be sent; undefined after a success. */
  readonly failing: () => SendFault['fault'] | undefined;
  readonly metrics: readonly Metric[];
  /** Starts no more, and abandons attempts without a response: another worker sends them again when the lease expires. */
  readonly close: () => Promise<void>;
};

type Options = { readonly transport: MailTransport; readonly sealingKey: KeyObject };

const newSettling = (transport: MailTransport) => {
  const ends = newCounter<'sent' | 'failed' | 'late'>('svc_mails_total', 'Attempts to send mails, by how they ended.', 'state', [
    'sent',
    'failed',
    'late',
  ]);
  let failing: SendFault['fault'] | undefined;
  const tell = ({ log }: JobDeps, fault: SendFault | undefined, { id, template, attempts }: ClaimedMail): void => {
    if (fault === undefined) {
      if (failing !== undefined) log.info({ job: NAME }, 'Mails are sent again.');
      failing = undefined;
      return;
    }
    // A single refused recipient says nothing about the mail server.
    if (!fault.isFinal) failing = fault.fault;
    const { isFinal, smtpCode } = fault;
    log.warn(
      { job: NAME, mail_id: id, template, attempts, fault: fault.fault, smtp_status: smtpCode, given_up: isFinal },
      'A mail was not sent.',
    );
  };
  const settle = async (deps: JobDeps, mail: ClaimedMail, fault: SendFault | undefined): Promise<void> => {
    ends.count(fault === undefined ? 'sent' : 'failed');
    tell(deps, fault, mail);
    const now = deps.clock();
    if (fault === undefined) await settleSent(deps.identity, mail, now, transport.kind === 'outbox');
    else await settleFailed(deps.identity, mail, { failure: fault.fault, isFinal: fault.isFinal, now });
  };
  return { ends, settle, failing: () => failing };
};

/** Sends queued mails with bounded concurrency and time; `claimMails` decides the order. */
export const openMailer = ({ transport, sealingKey }: Options): Mailer => {
  const { ends, settle, failing } = newSettling(transport);
  const inFlight = new Set<Promise<unknown>>();
  const closing = new AbortController();
  let place = FIRST_PLACE;
  const send = async (deps: JobDeps, mail: ClaimedMail): Promise<void> => {
    const outgoing = openMail(sealingKey, mail);
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(sendMs)]);
    const fault = outgoing === undefined ? UNREADABLE : await transport.send(outgoing, signal);
    // An attempt that a stop aborted may have arrived: the mail stays claimed until its lease expires.
    if (fault !== undefined && closing.signal.aborted) return;
    await settle(deps, mail, fault);
  };
  const begin = (deps: JobDeps, mail: ClaimedMail): void => {
    const sending = runPart(deps, NAME, undefined, () => send(deps, mail)).finally(() => inFlight.delete(sending));
    inFlight.add(sending);
  };
  const look = async (deps: JobDeps): Promise<void> => {
    const room = inFlightMax - inFlight.size;
    if (room > 0 && (await isMailDue(deps.identity, deps.clock()))) {
      const claimed = await claimMails(deps.identity, deps.clock(), room, place);
      place = claimed.place;
      for (const mail of claimed.mails) begin(deps, mail);
    }
    ends.count('late', await sweepMails(deps.identity, deps.clock()));
  };
  return {
    round: { name: NAME, everyMs: lookEveryMs, run: async (deps) => void (await runPart(deps, NAME, undefined, () => look(deps))) },
    failing,
    metrics: [ends.metric],
    close: async () => {
      closing.abort();
      await Promise.all(inFlight);
    },
  };
};
