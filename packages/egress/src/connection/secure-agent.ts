import { type AgentOptions, Agent as HttpsAgent } from 'node:https';
import { connect, type TcpNetConnectOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, DEFAULT_CIPHERS, type SecureContext } from 'node:tls';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { HandshakeBudgets } from './handshake-budgets.ts';
import { newSlicedStream } from './sliced-stream.ts';

const { tlsSilentBytesMax, tlsSessionsMax } = LIMITS.egress;

/** The value in OpenSSL. */
const SSL_OP_NO_RENEGOTIATION = 2 ** 30;

/**
 * TLS terms for every peer. In a finite-field key exchange the peer chooses the numbers, and one of ten thousand bits takes a second of the
 * decision thread; a peer that renegotiates keys repeatedly blocks it as long as the call lasts.
 */
const TERMS = {
  minVersion: 'TLSv1.2',
  ciphers: `${DEFAULT_CIPHERS}:!DHE`,
  secureOptions: SSL_OP_NO_RENEGOTIATION,
} as const;

const tooMuch = (): Error => Object.assign(new Error('the peer sends what is no answer'), { code: 'ERR_TLS_TOO_MUCH' });

/** A connection with its counters: `bytesRead` are those that were decrypted. */
type Secure = Duplex & { readonly bytesRead: number };

/** Drops a connection that received too many bytes in a row without one of a response. */
const boundSilence = (carrier: Duplex, secure: Secure): void => {
  let [told, silent] = [0, 0];
  carrier.prependListener('data', (piece: Buffer) => {
    if (secure.bytesRead !== told) [told, silent] = [secure.bytesRead, 0];
    silent += piece.length;
    if (silent > tlsSilentBytesMax) secure.destroy(tooMuch());
  });
  secure.once('secureConnect', () => {
    silent = 0;
  });
};

/** Measures how long a peer takes to prove its identity, and drops it if its organization owes time for others that did not. */
const boundProof = (carrier: Duplex, secure: Secure, tenant: string, debts: HandshakeBudgets): void => {
  const tab = debts.open(tenant);
  let begunAt = 0;
  const end = (): void => tab.spend(performance.now() - begunAt);
  const begin = (): void => {
    begunAt = performance.now();
    if (!debts.owes(tenant)) return;
    carrier.off('data', end);
    secure.destroy(tooMuch());
  };
  carrier.prependListener('data', begin).on('data', end);
  secure.once('secureConnect', () => {
    carrier.off('data', begin).off('data', end);
    tab.proved();
  });
  secure.once('close', tab.left);
};

/** Each offered session costs a key derivation; two are usual. */
const boundSessions = (secure: Secure): void => {
  let count = 0;
  secure.on('session', () => {
    count += 1;
    if (count > tlsSessionsMax) secure.destroy(tooMuch());
  });
};

/** Passed with every request over such an agent. */
export type ForWhom = { readonly tenant: string };

/**
 * The TLS agent. A peer is untrusted until it has proved its identity, and what it sends until then is processed in the decision thread:
 * mainly certificates, each of which takes ten milliseconds if it was crafted for that. So bytes are passed in slices that are counted
 * before they are read, for which Node's TLS has no setting, and the time still used is charged to the calling organization.
 */
export const newSecureAgent = (options: AgentOptions, debts: HandshakeBudgets): HttpsAgent => {
  const agent = new HttpsAgent({ ...options, ...TERMS });
  /** Created once: it is half of the cost of a new connection for the decision thread. */
  let terms: SecureContext | undefined;
  const { createConnection } = agent;
  agent.createConnection = (asked, done) => {
    const { host, port, lookup, tenant } = asked as TcpNetConnectOpts & ForWhom;
    const socket = connect({ host, port, lookup, noDelay: true });
    const carrier = newSlicedStream(socket);
    terms ??= createSecureContext(TERMS);
    const secure = createConnection.call(agent, { ...asked, socket: carrier, secureContext: terms } as typeof asked, done) as Secure;
    socket.on('error', (error) => secure.destroy(error));
    secure.once('close', () => carrier.destroy());
    boundSilence(carrier, secure);
    boundProof(carrier, secure, tenant, debts);
    boundSessions(secure);
    return secure;
  };
  return agent;
};
