import type { AnalysedVersion } from '../formula/formula.ts';
import { type AnalysedTool, fixedValue, presence } from './analysed-tool.ts';
import type { Variable } from './search.ts';

/** Tools that a rule cannot distinguish. */
export type ToolGroup = { readonly tool: AnalysedTool; readonly names: readonly string[] };

const getSignature = (version: AnalysedVersion, variables: readonly Variable[], tool: AnalysedTool): string =>
  JSON.stringify(
    variables.map(({ name, atoms }) => {
      const value = fixedValue(tool, name);
      const judges = atoms.flatMap((atom) => version.atoms[atom] ?? []);
      if (value !== undefined) return judges.map((atom) => atom.judge(value));
      return judges[0] === undefined ? null : presence(tool, judges[0].field);
    }),
  );

/** Groups the tools by the possible values of the fields that a rule reads. */
export const groupTools = (version: AnalysedVersion, variables: readonly Variable[], tools: readonly AnalysedTool[]): ToolGroup[] => {
  const groups = new Map<string, { tool: AnalysedTool; names: string[] }>();
  for (const tool of tools) {
    const signature = getSignature(version, variables, tool);
    const group = groups.get(signature);
    if (group === undefined) groups.set(signature, { tool, names: [tool.name] });
    else if (!group.names.includes(tool.name)) group.names.push(tool.name);
  }
  return [...groups.values()];
};
