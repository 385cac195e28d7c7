/**
 * Sessions with legacy servers. A process keeps each for ten minutes after its last use; they are lost with the process, and begun again. Modern
 * servers have none.
 */
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newConnection, type OpenConnection } from './connection.ts';
import { isFailure, type ListingFailure, newFailure } from './failures.ts';
import { endSession, initializeLegacy } from './handshake.ts';
import type { Dialect } from './protocol.ts';

/** The server, the generation of its credential, and the agent where a server's sessions belong to agents. */
export type SessionKey = { readonly server: string; readonly credentialGeneration: number; readonly agent?: string | undefined };

export type McpSession = Pick<Dialect, 'protocolVersion' | 'sessionId'>;

/** Begins a session, such as by `openSession`. */
export type BeginSession = () => Promise<McpSession | ListingFailure>;

const NOT_LEGACY = newFailure('PROTOCOL', 'The server no longer begins sessions. List its tools again, so that its revision is found out.');

/** Begins a session with a legacy server: `initialize`, then `notifications/initialized`. */
export const openSession = async (open: OpenConnection): Promise<McpSession | ListingFailure> => {
  const greeting = await initializeLegacy(newConnection(open));
  if (!('kind' in greeting)) return { protocolVersion: greeting.protocolVersion, sessionId: greeting.sessionId };
  return isFailure(greeting) ? greeting : (greeting.failure ?? NOT_LEGACY);
};

/** Ends a session at its server. */
export const closeSession = ({ send, url }: Pick<OpenConnection, 'send' | 'url'>, session: McpSession): Promise<void> =>
  endSession({ send, url }, { era: 'LEGACY', ...session });

type Kept = { readonly opening: Promise<McpSession | ListingFailure>; usedAt: number };

const isSessionFailure = (session: McpSession | ListingFailure): session is ListingFailure => 'kind' in session;

const keyText = ({ server, credentialGeneration, agent }: SessionKey): string =>
  JSON.stringify([server, credentialGeneration, agent ?? null]);

/** Creates the sessions of one process. `now` is in milliseconds. */
export const newSessions = ({ now }: { readonly now: () => number }) => {
  const { sessionsMax, sessionIdleMs } = LIMITS.mcp;
  /** In the order of their last use. */
  const kept = new Map<string, Kept>();

  const forget = (key: string, session: Kept | undefined): void => {
    if (session !== undefined && kept.get(key) === session) kept.delete(key);
  };
  const forgetOld = (): void => {
    for (const [key, { usedAt }] of kept) {
      if (kept.size <= sessionsMax && now() - usedAt < sessionIdleMs) return;
      kept.delete(key);
    }
  };
  const take = (key: string, begin: BeginSession): Kept => {
    const found = kept.get(key);
    const isUsable = found !== undefined && now() - found.usedAt < sessionIdleMs;
    const session = isUsable ? found : { opening: begin(), usedAt: now() };
    session.usedAt = now();
    kept.delete(key);
    kept.set(key, session);
    forgetOld();
    return session;
  };

  return {
    /**
     * Runs a request within the session of this key. Begins the session if there is none, once for all requests that wait for it. A session that
     * the server lost is begun once more and the request is repeated: the server did nothing for the first.
     */
    use: async <Answer extends { readonly kind: string }>(
      key: SessionKey,
      begin: BeginSession,
      request: (session: McpSession) => Promise<Answer>,
    ): Promise<Answer | ListingFailure> => {
      const text = keyText(key);
      const attempt = async (): Promise<{ readonly answer: Answer | ListingFailure; readonly isLost: boolean }> => {
        const session = take(text, begin);
        try {
          const opened = await session.opening;
          if (isSessionFailure(opened)) {
            forget(text, session);
            return { answer: opened, isLost: false };
          }
          const answer = await request(opened);
          if (answer.kind === 'session_lost') forget(text, session);
          return { answer, isLost: answer.kind === 'session_lost' };
        } catch (error) {
          forget(text, session);
          throw error;
        }
      };
      const first = await attempt();
      return first.isLost ? (await attempt()).answer : first.answer;
    },
    /** Number of sessions that are kept. */
    count: (): number => kept.size,
  };
};
