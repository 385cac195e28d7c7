import type { ToolVersion } from '@svc/contract/tools/declarations.ts';
import type { Tool } from '@svc/contract/tools/tools.ts';
import { pickDeclared } from '@svc/domain/tools/declaration/change-declaration.ts';

/** Returns the current declaration of a tool that never changed: no other version is stored. */
export const getCurrentDeclaration = (tool: Tool): ToolVersion => ({
  version_number: tool.declaration_version,
  declaration: pickDeclared(tool),
  created_at: tool.created_at,
  created_by: null,
});
