import { DECLARED_MEMBERS, type DeclaredChange, type ToolChange, type ToolDeclared } from '@svc/contract/tools/declarations.ts';
import { jsonPatch } from '@svc/policy/trial/json-patch.ts';
import type { Fault } from '../fault.ts';
import { declaredSecrets } from './declared-secrets.ts';
import { hideExecutionSecrets } from './hide-execution-secrets.ts';
import { findDeclarationFaults, type JudgedDeclaration } from './validate-tool-declaration.ts';

/** Returns the declared members of a tool. */
export const pickDeclared = (tool: ToolDeclared): ToolDeclared => ({
  required_capability: tool.required_capability,
  destination_allowlist: tool.destination_allowlist,
  risk_rating: tool.risk_rating,
  dangerous: tool.dangerous,
  parameters_schema: tool.parameters_schema,
  amount_from: tool.amount_from,
  currency_from: tool.currency_from,
  destination_from: tool.destination_from,
  narrowable: tool.narrowable,
  execution: tool.execution,
});

/** Returns the declaration after a change: omitted members stay. */
export const changedDeclaration = (before: ToolDeclared, { description: _, ...change }: ToolChange): ToolDeclared => ({
  ...pickDeclared(before),
  ...change,
});

const shown = (declared: ToolDeclared): ToolDeclared => ({
  ...declared,
  execution: declared.execution && hideExecutionSecrets(declared.execution),
});

const isSame = (before: unknown, after: unknown): boolean => jsonPatch({ value: before }, { value: after }).length === 0;

/** Members that differ, each as it may be shown. */
export const declaredChanges = (before: ToolDeclared, after: ToolDeclared): DeclaredChange[] => {
  const told = { before: shown(before), after: shown(after) };
  return DECLARED_MEMBERS.filter((member) => !isSame(before[member], after[member])).map((member) => ({
    member,
    before: told.before[member],
    after: told.after[member],
  }));
};

const judged = (declared: ToolDeclared & Pick<JudgedDeclaration, 'kind'>): JudgedDeclaration => {
  const { amount_from, currency_from, destination_from, execution, ...rest } = declared;
  return {
    ...rest,
    ...(amount_from === null ? {} : { amount_from }),
    ...(currency_from === null ? {} : { currency_from }),
    ...(destination_from === null ? {} : { destination_from }),
    ...(execution === null ? {} : { execution }),
  };
};

/**
 * Returns why a tool cannot declare this. Only the changed members are searched for secrets: one declared before that check existed must
 * not
 * prevent raising a risk.
 */
export const findChangeFaults = (kind: JudgedDeclaration['kind'], after: ToolDeclared, change: ToolChange): readonly Fault[] => {
  const faults = findDeclarationFaults(judged({ ...after, kind }));
  const told = new Set(faults.map(({ pointer }) => pointer));
  if (faults.some(({ pointer }) => pointer.startsWith('/parameters_schema'))) return faults;
  const { execution, parameters_schema = {} } = change;
  const brought = execution === undefined ? { parameters_schema } : { parameters_schema, execution };
  return [...faults, ...declaredSecrets(brought).filter(({ pointer }) => !told.has(pointer))];
};
