import type { ToolVersion } from '@svc/contract/tools/declarations.ts';
import type { Tool } from '@svc/contract/tools/tools.ts';
import { declaredOf } from '@svc/domain/tools/declaration/change-declaration.ts';

/** The declaration that stands, of a tool that was never changed: nothing else is kept of it. */
export const standingVersion = (tool: Tool): ToolVersion => ({
  version_number: tool.declaration_version,
  declaration: declaredOf(tool),
  created_at: tool.created_at,
  created_by: null,
});
