import type { ToolFlow } from '@svc/contract/risk/flow-words.ts';
import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { NO_FLOW } from '@svc/domain/risk/contexts/flow-context.ts';
import { loosensFlow } from '@svc/domain/risk/contexts/loosens-flow.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockToolFlow, putToolFlow } from '@svc/postgres/risk/tool-flow.ts';
import type { CallContext } from '../../people/auth/acting.ts';

export type FlowDeclaration = CallContext & {
  readonly toolId: string;
  readonly declared: Partial<ToolFlow>;
  readonly reason: string;
  /** Refuses a caller who may not loosen. Called only if something is loosened. */
  readonly refuseLoosening: () => Refusal<'STEP_UP_REQUIRED'> | undefined;
};

/** Declares the data that flows through a tool. Omitted members stay. */
export const declareToolFlow = async (
  { tx, emit }: Change<'tool.updated'>,
  { scope, toolId, declared, reason, refuseLoosening }: FlowDeclaration,
): Promise<ToolFlow | Refusal<'NOT_FOUND' | 'STEP_UP_REQUIRED'>> => {
  const { organization_id } = scope;
  const tool = await lockToolFlow(tx, organization_id, toolId);
  if (tool === undefined) return buildRefusal('NOT_FOUND');
  const before = { ...NO_FLOW, ...tool.flow };
  const after = { ...before, ...declared };
  const isLooser = loosensFlow(before, after);
  const refused = isLooser ? refuseLoosening() : undefined;
  if (refused) return refused;
  await putToolFlow(tx, organization_id, toolId, after);
  emit('tool.updated', {
    ...about.tool(tool),
    ...(isLooser ? { severity: 'critical' as const } : {}),
    data: { before: { flow: before }, after: { flow: after }, reason },
  });
  return after;
};
