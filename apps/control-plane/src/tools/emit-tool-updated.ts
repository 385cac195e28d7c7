import type { Tool } from '@svc/contract/tools.ts';
import type { Change } from '@svc/postgres/change.ts';

/** Who may use a tool has changed. */
export const emitToolUpdated = (
  emit: Change<'tool.updated'>['emit'],
  tool: Tool,
  workspaceId: string | null,
  agents: { readonly authorized?: string; readonly withdrawn?: string },
): void =>
  emit('tool.updated', {
    subject: { type: 'tool', id: tool.id },
    workspace_id: workspaceId,
    environment_id: tool.environment_id,
    data: { name: tool.name, ...agents },
  });
