import type { FlowContextView } from '@svc/contract/risk/contexts.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { findAgent } from '@svc/postgres/agents/agents/agents.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockContext, putGrown } from '@svc/postgres/risk/contexts.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { showContext } from './show-context.ts';

export type Declassification = CallContext & {
  readonly agentId: string;
  readonly contextId: string;
  readonly labels: readonly string[];
  readonly reason: string;
};

/** Clears labels with their current sources. A later source sets its label again. */
export const declassifyContext = async (
  { tx, emit }: Change<'context.labels_cleared'>,
  { scope, actor, agentId, contextId, labels, reason }: Declassification,
): Promise<FlowContextView | Refusal<'NOT_FOUND' | 'PERMISSION_DENIED' | 'UNPROCESSABLE'>> => {
  const { organization_id } = scope;
  if (actor.type !== 'USER') return buildRefusal('PERMISSION_DENIED', 'Only a person clears labels.');
  if (labels.includes('secret')) return buildRefusal('UNPROCESSABLE', 'The label secret is never cleared; it ends with its context.');
  const agent = await findAgent(tx, organization_id, agentId);
  const context = agent && (await lockContext(tx, organization_id, agentId, contextId));
  if (!agent || !context) return buildRefusal('NOT_FOUND');
  const cleared = labels.filter((label) => context.labels.includes(label));
  const sources = context.sources.filter(({ label }) => labels.includes(label));
  const after = {
    ...context,
    labels: context.labels.filter((label) => !labels.includes(label)),
    sources: context.sources.filter(({ label }) => !labels.includes(label)),
  };
  await putGrown(tx, organization_id, contextId, after);
  emit('context.labels_cleared', {
    ...about.flow_context({ id: contextId }, agent),
    data: {
      agent_id: agentId,
      labels: cleared,
      sources: sources.map(({ label, tool, host, action_id }) => ({ label, tool, host, action_id })),
      reason,
    },
  });
  return showContext(agentId, after);
};
