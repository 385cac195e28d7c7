import type { DeclaredChange, ToolChange } from '@svc/contract/tools/declarations.ts';
import type { ProposedDeclaration } from '@svc/contract/tools/tool-imports.ts';
import { changedDeclaration, declaredChanges } from '@svc/domain/tools/declaration/change-declaration.ts';
import { type ProposedChange, proposedChange } from '@svc/domain/tools/tool-imports/compare/proposed-change.ts';
import type { StoredTool } from '@svc/postgres/tools/tools.ts';

/** Shows what applying a changed proposal would make of its tool. */
export const previewChangedTool = (
  tool: StoredTool,
  taken: ProposedDeclaration,
  proposed: ProposedDeclaration,
  prefers: 'made' | 'said' = 'made',
): { readonly change: ToolChange; readonly conflicts: string[]; readonly changes: DeclaredChange[] } => {
  const { change, conflicts }: ProposedChange = proposedChange(tool, taken, proposed, prefers);
  return { change, conflicts: [...conflicts], changes: declaredChanges(tool, changedDeclaration(tool, change)) };
};
