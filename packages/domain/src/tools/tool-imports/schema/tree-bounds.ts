import { LIMITS } from '@svc/contract/tables/limits.ts';

const { treeValuesMax, treeLevelsMax } = LIMITS.toolImports;

/**
 * Returns why a value is too large once its shared parts are copied, as a sentence; undefined if it is not. Takes a bounded number of
 * steps.
 */
export const findTreeFault = (root: unknown): string | undefined => {
  let left: number = treeValuesMax;
  const visit = (value: unknown, level: number): 'large' | 'deep' | undefined => {
    left -= 1;
    if (left < 0) return 'large';
    if (typeof value !== 'object' || value === null) return undefined;
    if (level >= treeLevelsMax) return 'deep';
    for (const name in value) {
      const fault = visit((value as Readonly<Record<string, unknown>>)[name], level + 1);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
  const fault = visit(root, 0);
  if (fault === 'deep') return `The document is nested deeper than ${treeLevelsMax} levels.`;
  return fault === 'large' ? `The document has more than ${treeValuesMax} values once its shared parts are copied.` : undefined;
};
