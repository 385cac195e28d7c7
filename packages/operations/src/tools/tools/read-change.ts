import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { DeclaredChange, ToolChange, ToolDeclared } from '@svc/contract/tools/declarations.ts';
import { changedDeclaration, declaredChanges, findChangeFaults } from '@svc/domain/tools/declaration/change-declaration.ts';
import { normaliseSchema } from '@svc/domain/tools/schema/normalise-schema.ts';
import type { AnalysedTool } from '@svc/policy/analyse/analysed-tool.ts';
import type { StoredTool } from '@svc/postgres/tools/tools.ts';

/** A change of a tool: its declaration before and after, and the members that differ. */
export type DeclarationChange = {
  readonly tool: StoredTool;
  readonly after: ToolDeclared;
  readonly changes: readonly DeclaredChange[];
};

/** Checks a change against its tool. No refusal discloses the tool's content. */
export const readChange = (tool: StoredTool, change: ToolChange): DeclarationChange | Refusal<'VALIDATION_FAILED'> => {
  const after = changedDeclaration(tool, change);
  const faults = findChangeFaults(tool.kind, after, change);
  if (faults.length > 0) return buildRefusal('VALIDATION_FAILED', 'The tool cannot be declared so.', { faults });
  return { tool, after, changes: declaredChanges(tool, after) };
};

/** Converts a tool to the form in which rules are analysed. */
export const convertAnalysedTool = ({ name, kind }: Pick<StoredTool, 'name' | 'kind'>, declared: ToolDeclared): AnalysedTool => ({
  name,
  kind,
  required_capability: declared.required_capability,
  risk_rating: declared.risk_rating,
  dangerous: declared.dangerous,
  parameters_schema: normaliseSchema(declared.parameters_schema).schema,
  amount_from: declared.amount_from,
  currency_from: declared.currency_from,
  destination_from: declared.destination_from,
  execution: declared.execution ? true : null,
});
