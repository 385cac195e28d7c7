import type { FlowContextView } from '@svc/contract/risk/contexts.ts';
import { ALL_CONTEXTS, UNNAMED } from '@svc/domain/risk/contexts/context-name.ts';
import type { FlowContext } from '@svc/domain/risk/contexts/flow-context.ts';

/** Formats a context; people are counted, never shown. */
export const showContext = (agent_id: string, { sources, labels, tools_used, name, ...context }: FlowContext): FlowContextView => ({
  ...context,
  name: name === UNNAMED || name === ALL_CONTEXTS ? null : name,
  scope: name === ALL_CONTEXTS ? 'AGENT' : 'CONTEXT',
  agent_id,
  labels: [...labels],
  tools_used: [...tools_used],
  sources: sources.map(({ label, tool, host, action_id, at, readers }) => ({
    label,
    tool,
    host,
    action_id,
    at,
    people: readers?.length ?? null,
  })),
});
