import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import type { AnalysedRule } from '../formula/formula.ts';
import { parsePath } from '../values/path.ts';
import type { AnalysedTool } from './analysed-tool.ts';
import { readPresence } from './declared/declared-parameters.ts';

/** Returns true if no tool can have the beginning of the path. Lists further down are traversed separately, so no more is claimed. */
const isNowhere = (path: string, tools: readonly AnalysedTool[]): boolean => {
  const parsed = parsePath(path);
  if (!('segments' in parsed)) return false;
  const first = parsed.segments.slice(0, 1);
  return tools.every((tool) => readPresence(tool.parameters_schema, first).there === 'never');
};

/** Warns of each parameter path that a rule masks and that no tool has, so that it masks nothing. */
export const maskWithoutParameter = ({ rule, position }: AnalysedRule, tools: readonly AnalysedTool[]): PolicyWarning[] => {
  if (tools.length === 0) return [];
  return (rule.mask?.parameters ?? []).flatMap((path, index) =>
    isNowhere(path, tools)
      ? {
          kind: 'unknown_parameter' as const,
          rule_id: rule.id,
          pointer: `/rules/${position}/mask/parameters/${index}`,
          message: `No registered tool has the parameter ${JSON.stringify(path)}, so this masks nothing. Use paths such as "customer.iban".`,
        }
      : [],
  );
};
