import { ALL_CONTEXTS, UNNAMED } from '@svc/domain/risk/contexts/context-name.ts';
import type { FlowContext } from '@svc/domain/risk/contexts/flow-context.ts';
import { EMPTY_CONTEXT, type GrownContext } from '@svc/domain/risk/contexts/growth.ts';
import type { SessionFacts } from './facts.ts';
import type { EnvironmentSnapshot } from './snapshots.ts';

/** Flow contexts that count for a request. */
export type ContextFacts = {
  /** Key of the context that the request adds to. */
  readonly key: string;
  /** Data of that context. */
  readonly own: GrownContext;
  /** Data of all contexts that count; null if none has any. */
  readonly held: FlowContext | null;
  /** Contexts last used before this time have ended; null if that is unknown. */
  readonly endedBefore: string | null;
};

export const createEmptyContexts = (key: string): ContextFacts => ({ key, own: EMPTY_CONTEXT, held: null, endedBefore: null });

/**
 * Returns the context key of a request. The key of all contexts is used if the environment has one context for each agent, and for a
 * request without a session, which names none: everything the agent read counts for it, and what it reads counts in all contexts.
 */
export const getContextKey = ({ risk }: Pick<EnvironmentSnapshot, 'risk'>, session: SessionFacts | null): string =>
  session === null || risk.context_scope === 'AGENT' ? ALL_CONTEXTS : (session.context ?? UNNAMED);
