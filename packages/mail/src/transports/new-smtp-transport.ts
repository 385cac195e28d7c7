import { LIMITS } from '@svc/contract/tables/limits.ts';
import { createTransport } from 'nodemailer';
import type { MailTransport, SendFault } from './mail-transport.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;
const { sendMs } = LIMITS.mail;

/** The members that identify a failed attempt; the message of the error is ignored, since servers quote addresses in it. */
type SmtpError = {
  readonly code?: unknown;
  readonly responseCode?: unknown;
  readonly command?: unknown;
  readonly permanent?: unknown;
  readonly originalCode?: unknown;
};

const WORDS: Readonly<Record<string, SendFault['fault']>> = {
  EABORT: 'no response in time',
  ETIMEDOUT: 'no response in time',
  ETLS: 'no encryption',
  EREQUIRETLS: 'no encryption',
  EAUTH: 'authentication failed',
  ENOAUTH: 'authentication failed',
  EPROTOCOL: 'broken off',
};

/** Error codes of a certificate or handshake failure. */
const OF_TLS = /CERT|SIGNATURE|SELF_SIGNED|_SSL_|_TLS_/;

/** A permanently refused recipient or mail is not retried; a refused sender or login is for the operator to fix. */
const getFault = ({ code, originalCode, responseCode, command, permanent }: SmtpError): SendFault => {
  const smtpCode = typeof responseCode === 'number' ? responseCode : null;
  const word = OF_TLS.test(String(originalCode)) ? 'no encryption' : WORDS[String(code)];
  if (word !== undefined) return { fault: word, smtpCode, isFinal: false };
  if (smtpCode === null) return { fault: code === 'EENVELOPE' ? 'refused' : 'unreachable', smtpCode, isFinal: code === 'EENVELOPE' };
  if (smtpCode < 500) return { fault: 'put off', smtpCode, isFinal: false };
  return { fault: 'refused', smtpCode, isFinal: permanent === true && command !== 'MAIL FROM' };
};

const getOptions = (text: string) => {
  const { protocol, hostname, port, username, password } = new URL(text);
  const auth = username === '' ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const secure = protocol === 'smtps:';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    ...(auth && { auth }),
    // A password is never sent unencrypted to another machine.
    requireTLS: !secure && auth !== undefined && !LOOPBACK.test(hostname),
    tls: { minVersion: 'TLSv1.2' as const },
  };
};

export type SmtpSettings = { readonly url: string; readonly from: string };

const getDomain = (from: string): string => /@([^@>\s]+)>?$/.exec(from)?.[1] ?? 'localhost';

/** Opens one connection per mail, so that a server that hangs or disconnects delays only that mail. */
export const newSmtpTransport = ({ url, from }: SmtpSettings): MailTransport => {
  const timeouts = { connectionTimeout: sendMs, greetingTimeout: sendMs, socketTimeout: sendMs, dnsTimeout: sendMs };
  const transport = createTransport({ ...getOptions(url), ...timeouts, disableFileAccess: true, disableUrlAccess: true });
  return {
    kind: 'smtp',
    send: async ({ id, to, subject, text, html }, signal) => {
      const headers = { 'auto-submitted': 'auto-generated', 'x-auto-response-suppress': 'All' };
      const recipient = { name: '', address: to };
      const messageId = `<${id}@${getDomain(from)}>`;
      try {
        await transport.sendMail({ from, to: recipient, subject, text, html, headers, messageId, signal });
        return undefined;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        return getFault(error as SmtpError);
      }
    },
  };
};
