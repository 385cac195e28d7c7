import { type AgentOptions, Agent as HttpsAgent } from 'node:https';
import { connect, type TcpNetConnectOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import { createSecureContext, DEFAULT_CIPHERS, type SecureContext } from 'node:tls';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { ProofDebts } from './proof-debts.ts';
import { newSlicedStream } from './sliced-stream.ts';

const { tlsSilentBytesMax, tlsSessionsMax } = LIMITS.egress;

/** As OpenSSL numbers it. */
const SSL_OP_NO_RENEGOTIATION = 2 ** 30;

/**
 * What is agreed with every peer. In a key exchange over finite fields the peer chooses the numbers, and one of ten thousand bits takes a second
 * of the thread that decides for everybody; a peer that renews its keys over and over takes it as long as the call lasts.
 */
const TERMS = {
  minVersion: 'TLSv1.2',
  ciphers: `${DEFAULT_CIPHERS}:!DHE`,
  secureOptions: SSL_OP_NO_RENEGOTIATION,
} as const;

const tooMuch = (): Error => Object.assign(new Error('the peer sends what is no answer'), { code: 'ERR_TLS_TOO_MUCH' });

/** What is told of a connection besides what it carries: `bytesRead` are those that came out of it. */
type Secure = Duplex & { readonly bytesRead: number };

/** Leaves a connection over which more bytes came in a row than may without one of an answer among them. */
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

/** Measures how long a peer takes to prove itself, and leaves it where its organization owes for others that did not. */
const boundProof = (carrier: Duplex, secure: Secure, tenant: string, debts: ProofDebts): void => {
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

/** A session that is offered costs a derivation of keys; two are usual. */
const boundSessions = (secure: Secure): void => {
  let count = 0;
  secure.on('session', () => {
    count += 1;
    if (count > tlsSessionsMax) secure.destroy(tooMuch());
  });
};

/** Told with every request that goes over such an agent. */
export type ForWhom = { readonly tenant: string };

/**
 * The agent for TLS. A peer is anybody until it has proved itself, and what it sends by then is worked through in the thread that decides:
 * certificates above all, each of which takes ten milliseconds where somebody made it for that. So the bytes come in slices that are counted
 * before they are read, which the TLS of Node has no setting for, and what one still takes is on the tab of the organization that calls it.
 */
export const newSecureAgent = (options: AgentOptions, debts: ProofDebts): HttpsAgent => {
  const agent = new HttpsAgent({ ...options, ...TERMS });
  /** Made once: it is half of what the beginning of a connection takes of the thread that decides. */
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
