import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type AnswerMeter, newAnswerMeter } from './answer-meter.ts';
import { newOpenCounts } from './open-counts.ts';
import type { CheckedRequest } from './send-request.ts';

const { keptIdleMs, keptLifeMs, keptPlacesMax, avoidedMs } = LIMITS.egress;

/** Connections that are kept open after a call, each for later calls of the same tenant and word to the same host at the same checked addresses. */
export type KeptAgents = {
  readonly of: (checked: CheckedRequest, word: string) => HttpAgent;
  /** What watches over a connection that is kept. */
  readonly meterOf: (socket: Duplex) => AnswerMeter | undefined;
  /**
   * Of connections that one peer keeps, one that had waited turned out to be closed when a request had left over it: closes those that wait for
   * their next call, and keeps no others for a while.
   */
  readonly avoid: (checked: CheckedRequest, word: string) => void;
  readonly close: () => void;
};

const isEmpty = ({ sockets, freeSockets, requests }: HttpAgent): boolean =>
  [sockets, freeSockets, requests].every((each) => Object.keys(each).length === 0);

const keyOf = ({ request, url, addresses }: CheckedRequest, word: string): string =>
  [request.tenant, word, url.protocol, url.host, ...addresses.map(({ address }) => address).sort()].join(' ');

const newAgent = (secure: boolean, idleMs: number): HttpAgent => {
  const kept = { keepAlive: true, timeout: idleMs, scheduling: 'lifo' } as const;
  return secure ? new HttpsAgent({ ...kept, minVersion: 'TLSv1.2' }) : new HttpAgent(kept);
};

/** Places whose peers close what they said they keep, each for so long. */
const newAvoided = () => {
  const until = new Map<string, number>();
  return {
    add: (key: string): void => {
      until.delete(key);
      until.set(key, performance.now() + avoidedMs);
      const [oldest] = until.keys();
      if (until.size > keptPlacesMax && oldest !== undefined) until.delete(oldest);
    },
    has: (key: string): boolean => (until.get(key) ?? Number.NEGATIVE_INFINITY) > performance.now(),
  };
};

/** What is known of each connection: since when it is open, for whom, and what came over it. */
const newConnections = () => {
  const meters = new WeakMap<Duplex, AnswerMeter>();
  const bornAt = new WeakMap<Duplex, number>();
  const counts = newOpenCounts();
  return {
    meterOf: (socket: Duplex): AnswerMeter | undefined => meters.get(socket),
    watch: (tenant: string, socket: Duplex): Duplex => {
      bornAt.set(socket, performance.now());
      meters.set(socket, newAnswerMeter(socket));
      counts.opened(tenant);
      return socket.once('close', () => counts.closed(tenant));
    },
    /** Asked at the end of each answer: whether it may wait for the next call. */
    mayStay: (tenant: string, socket: Duplex): boolean =>
      meters.get(socket)?.endsWhole() === true &&
      counts.mayKeep(tenant) &&
      performance.now() - (bornAt.get(socket) ?? Number.NEGATIVE_INFINITY) < keptLifeMs,
  };
};

/**
 * An agent for each tenant, word and place, so that nobody's call goes over a connection of somebody else. A connection lives for a minute at
 * most, waits for its next call for less, and is kept only after an answer that was all that came over it. No more are kept than a number, in
 * all and for one tenant: of what is over it each has its one call.
 */
export const newKeptAgents = (idleMs: number = keptIdleMs): KeptAgents => {
  const agents = new Map<string, HttpAgent>();
  const connections = newConnections();
  const avoided = newAvoided();
  const drop = (key: string, agent: HttpAgent): void => {
    if (isEmpty(agent) && agents.get(key) === agent) agents.delete(key);
  };
  const begin = (key: string, { request: { tenant }, url }: CheckedRequest): HttpAgent => {
    const agent = newAgent(url.protocol === 'https:', idleMs);
    const { createConnection, keepSocketAlive } = agent;
    agent.createConnection = (options, done) => {
      const socket = createConnection.call(agent, options, done);
      if (socket) connections.watch(tenant, socket).once('close', () => setImmediate(drop, key, agent));
      return socket;
    };
    agent.keepSocketAlive = (socket) =>
      connections.mayStay(tenant, socket) && !avoided.has(key) && (keepSocketAlive.call(agent, socket) as unknown as boolean);
    agents.set(key, agent);
    return agent;
  };
  return {
    of: (checked, word) => {
      const key = keyOf(checked, word);
      if (agents.size > keptPlacesMax) for (const [each, agent] of agents) drop(each, agent);
      return agents.get(key) ?? begin(key, checked);
    },
    meterOf: connections.meterOf,
    avoid: (checked, word) => {
      const key = keyOf(checked, word);
      avoided.add(key);
      const idle = Object.values(agents.get(key)?.freeSockets ?? {});
      for (const socket of idle.flatMap((each) => each ?? [])) socket.destroy();
    },
    close: () => {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
};
