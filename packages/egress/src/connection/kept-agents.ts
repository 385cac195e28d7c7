import { Agent as HttpAgent } from 'node:http';
import type { Duplex } from 'node:stream';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { type AnswerMeter, newAnswerMeter } from './answer-meter.ts';
import type { HandshakeBudgets } from './handshake-budgets.ts';
import { newOpenCounts } from './open-counts.ts';
import { newSecureAgent } from './secure-agent.ts';
import type { CheckedRequest } from './send-request.ts';

const { keptIdleMs, keptLifeMs, keptPlacesMax, avoidedMs } = LIMITS.egress;

/** Pool of keep-alive connections, each for later calls of the same tenant and word to the same host at the same checked addresses. */
export type PooledAgents = {
  readonly of: (checked: CheckedRequest, word: string) => HttpAgent;
  /** Returns the meter of a kept connection. */
  readonly meterOf: (socket: Duplex) => AnswerMeter | undefined;
  /**
   * Handles a reused connection that turned out to be closed when a request had left: closes the idle connections to the same peer, and
   * keeps no
   * others for a while.
   */
  readonly avoid: (checked: CheckedRequest, word: string) => void;
  readonly close: () => void;
};

const isEmpty = ({ sockets, freeSockets, requests }: HttpAgent): boolean =>
  [sockets, freeSockets, requests].every((each) => Object.keys(each).length === 0);

const getKey = ({ request, url, addresses }: CheckedRequest, word: string): string =>
  [request.tenant, word, url.protocol, url.host, ...addresses.map(({ address }) => address).sort()].join(' ');

/** The interface of the agent of one key (tenant, word, host). */
type Place = {
  readonly tenant: string;
  readonly secure: boolean;
  readonly idleMs: number;
  readonly debts: HandshakeBudgets;
  readonly isAvoided: () => boolean;
  /** Called when one of its connections is closed. */
  readonly left: (agent: HttpAgent) => void;
};

const newAgent = ({ secure, idleMs, debts }: Place): HttpAgent => {
  const kept = { keepAlive: true, timeout: idleMs, scheduling: 'lifo' } as const;
  return secure ? newSecureAgent(kept, debts) : new HttpAgent(kept);
};

/** Keys whose peers close connections that they promised to keep, each for a time. */
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

/** Idle connections, by tenant, the longest idle first. */
const newResting = () => {
  const byTenant = new Map<string, Set<Duplex>>();
  const remove = (tenant: string, socket: Duplex): void => {
    const own = byTenant.get(tenant);
    own?.delete(socket);
    if (own?.size === 0) byTenant.delete(tenant);
  };
  return {
    add: (tenant: string, socket: Duplex): void => void byTenant.set(tenant, (byTenant.get(tenant) ?? new Set()).add(socket)),
    remove,
    /** Closes the longest-idle connection; returns false if none is idle. */
    endOldest: (tenant: string): boolean => {
      const [oldest] = byTenant.get(tenant) ?? [];
      if (oldest === undefined) return false;
      remove(tenant, oldest);
      oldest.destroy();
      return true;
    },
  };
};

/** Facts about each connection: its opening time, its tenant, and its meter. */
const newConnections = () => {
  const meters = new WeakMap<Duplex, AnswerMeter>();
  const bornAt = new WeakMap<Duplex, number>();
  const counts = newOpenCounts();
  const resting = newResting();
  return {
    meterOf: (socket: Duplex): AnswerMeter | undefined => meters.get(socket),
    watch: (tenant: string, socket: Duplex): Duplex => {
      bornAt.set(socket, performance.now());
      meters.set(socket, newAnswerMeter(socket));
      counts.opened(tenant);
      return socket.once('close', () => {
        counts.closed(tenant);
        resting.remove(tenant, socket);
      });
    },
    /**
     * Called at the end of each response; returns true if the connection may stay open. Over the bound it replaces the longest-idle one.
     */
    mayStay: (tenant: string, socket: Duplex): boolean => {
      if (meters.get(socket)?.endsWhole() !== true) return false;
      if (performance.now() - (bornAt.get(socket) ?? Number.NEGATIVE_INFINITY) >= keptLifeMs) return false;
      return counts.mayKeep(tenant) || resting.endOldest(tenant);
    },
    rests: resting.add,
    restsNoMore: resting.remove,
  };
};

const newWatchedAgent = (connections: ReturnType<typeof newConnections>, place: Place): HttpAgent => {
  const { tenant, isAvoided, left } = place;
  const agent = newAgent(place);
  const { createConnection, keepSocketAlive, reuseSocket } = agent;
  agent.createConnection = (options, done) => {
    const socket = createConnection.call(agent, options, done);
    if (socket) connections.watch(tenant, socket).once('close', () => setImmediate(left, agent));
    return socket;
  };
  agent.keepSocketAlive = (socket) => {
    const stays = !isAvoided() && connections.mayStay(tenant, socket) && (keepSocketAlive.call(agent, socket) as unknown as boolean);
    if (stays) connections.rests(tenant, socket);
    return stays;
  };
  agent.reuseSocket = (socket, outgoing) => {
    connections.restsNoMore(tenant, socket);
    reuseSocket.call(agent, socket, outgoing);
  };
  return agent;
};

/**
 * Keeps one agent per tenant, word and host, so that no tenant's call uses another tenant's connection. A connection lives for a minute at
 * most, has a shorter idle timeout, and is kept only after a response that was all that arrived on it. Their number is bounded, in all and
 * per tenant: over the bound the longest-idle one is closed, and if none is idle each has its one call.
 */
export const newKeptAgents = (debts: HandshakeBudgets, idleMs: number = keptIdleMs): PooledAgents => {
  const agents = new Map<string, HttpAgent>();
  const connections = newConnections();
  const avoided = newAvoided();
  const drop = (key: string, agent: HttpAgent): void => {
    if (isEmpty(agent) && agents.get(key) === agent) agents.delete(key);
  };
  const begin = (key: string, { request: { tenant }, url }: CheckedRequest): HttpAgent => {
    const agent = newWatchedAgent(connections, {
      tenant,
      secure: url.protocol === 'https:',
      ...{ idleMs, debts },
      isAvoided: () => avoided.has(key),
      left: (each) => drop(key, each),
    });
    agents.set(key, agent);
    return agent;
  };
  return {
    of: (checked, word) => {
      const key = getKey(checked, word);
      if (agents.size > keptPlacesMax) for (const [each, agent] of agents) drop(each, agent);
      return agents.get(key) ?? begin(key, checked);
    },
    meterOf: connections.meterOf,
    avoid: (checked, word) => {
      const key = getKey(checked, word);
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
