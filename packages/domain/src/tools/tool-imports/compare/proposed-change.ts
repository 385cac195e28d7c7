import { RISK_RATINGS } from '@svc/contract/tables/vocabulary.ts';
import type { ToolChange } from '@svc/contract/tools/declarations.ts';
import type { ProposedDeclaration } from '@svc/contract/tools/tool-imports.ts';
import type { Tool } from '@svc/contract/tools/tools.ts';
import { mergeExecution } from './merge-execution.ts';
import { mergeParameters } from './merge-schema.ts';
import { isSame, type Merging, mergeValue } from './three-way.ts';

type Standing = Pick<
  Tool,
  'description' | 'required_capability' | 'destination_allowlist' | 'risk_rating' | 'dangerous' | 'parameters_schema' | 'execution'
>;

export type ProposedChange = {
  readonly change: ToolChange;
  /** Places that people changed since, and the document too, as pointers into the declaration. */
  readonly conflicts: readonly string[];
};

const PLAIN = ['description', 'required_capability', 'destination_allowlist'] as const;

const rank = (rating: Tool['risk_rating']): number => RISK_RATINGS.indexOf(rating);

/**
 * Returns the change of a tool that a later document requests [a three-way merge]: its differences from the imported document, applied to
 * the current tool. A change by both is a conflict, and gets the preferred value. A document
 * raises a risk and never lowers one; only people do that.
 */
export const proposedChange = (
  standing: Standing,
  taken: ProposedDeclaration,
  proposed: ProposedDeclaration,
  prefers: Merging['prefers'] = 'made',
): ProposedChange => {
  const on: Merging = { prefers, conflicts: [] };
  const getWays = (member: keyof ProposedDeclaration) => ({ made: standing[member], taken: taken[member], said: proposed[member] });
  const isSaid = (member: keyof ProposedDeclaration): boolean => !isSame(taken[member], proposed[member]);
  const merged = {
    ...Object.fromEntries(PLAIN.map((member) => [member, mergeValue(getWays(member), `/${member}`, on)])),
    ...(isSaid('risk_rating') && rank(proposed.risk_rating) > rank(standing.risk_rating) ? { risk_rating: proposed.risk_rating } : {}),
    ...(isSaid('dangerous') && proposed.dangerous ? { dangerous: true } : {}),
    parameters_schema: mergeParameters(getWays('parameters_schema'), '/parameters_schema', on),
    execution: mergeExecution(standing.execution, taken.execution, proposed.execution, '/execution', on),
  };
  const changed = Object.entries(merged).filter(([member, value]) => !isSame(value, standing[member as keyof Standing]));
  return { change: Object.fromEntries(changed) as ToolChange, conflicts: on.conflicts };
};
