import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { CheckedRequest } from './send-request.ts';

const { keptIdleMs, keptLifeMs, keptConnectionsMax, keptPlacesMax } = LIMITS.egress;

/** Connections that are kept open after a call, each for later calls of the same word to the same host at the same checked addresses. */
export type KeptAgents = {
  readonly of: (checked: CheckedRequest, word: string) => HttpAgent | HttpsAgent;
  /** Closes what waits for its next call: of connections that one peer keeps for it, one turned out to be closed. */
  readonly leaveIdle: (checked: CheckedRequest, word: string) => void;
  readonly close: () => void;
};

const isEmpty = ({ sockets, freeSockets, requests }: HttpAgent): boolean =>
  [sockets, freeSockets, requests].every((each) => Object.keys(each).length === 0);

const keyOf = ({ url, addresses }: CheckedRequest, word: string): string =>
  [word, url.protocol, url.host, ...addresses.map(({ address }) => address).sort()].join(' ');

/**
 * An agent for each word and place, so that nobody's call goes over a connection of somebody else. A connection lives for a minute at most,
 * waits for its next call for less, and no more are kept than a number: of what is over it each has its one call.
 */
export const newKeptAgents = (): KeptAgents => {
  const agents = new Map<string, HttpAgent | HttpsAgent>();
  const bornAt = new WeakMap<Duplex, number>();
  let open = 0;
  const isKept = (socket: Duplex): boolean =>
    open <= keptConnectionsMax && performance.now() - (bornAt.get(socket) ?? Number.NEGATIVE_INFINITY) < keptLifeMs;
  const drop = (key: string, agent: HttpAgent): void => {
    if (isEmpty(agent) && agents.get(key) === agent) agents.delete(key);
  };
  const watch = (key: string, agent: HttpAgent, socket: Duplex): Duplex => {
    bornAt.set(socket, performance.now());
    open += 1;
    return socket.once('close', () => {
      open -= 1;
      setImmediate(drop, key, agent);
    });
  };
  const begin = (key: string, secure: boolean): HttpAgent | HttpsAgent => {
    const kept = { keepAlive: true, timeout: keptIdleMs, scheduling: 'lifo' } as const;
    const agent = secure ? new HttpsAgent({ ...kept, minVersion: 'TLSv1.2' }) : new HttpAgent(kept);
    const { createConnection, keepSocketAlive } = agent;
    agent.createConnection = (options, done) => {
      const socket = createConnection.call(agent, options, done);
      return socket ? watch(key, agent, socket) : socket;
    };
    agent.keepSocketAlive = (socket) => isKept(socket) && (keepSocketAlive.call(agent, socket) as unknown as boolean);
    agents.set(key, agent);
    return agent;
  };
  return {
    of: (checked, word) => {
      const key = keyOf(checked, word);
      if (agents.size > keptPlacesMax) for (const [each, agent] of agents) drop(each, agent);
      return agents.get(key) ?? begin(key, checked.url.protocol === 'https:');
    },
    leaveIdle: (checked, word) => {
      const idle = Object.values(agents.get(keyOf(checked, word))?.freeSockets ?? {});
      for (const socket of idle.flatMap((each) => each ?? [])) socket.destroy();
    },
    close: () => {
      for (const agent of agents.values()) agent.destroy();
      agents.clear();
    },
  };
};
