import { RISK_RATINGS } from '@svc/contract/tables/vocabulary.ts';
import type { ToolChange } from '@svc/contract/tools/declarations.ts';
import type { ProposedDeclaration } from '@svc/contract/tools/tool-imports.ts';
import type { Tool, ToolExecution } from '@svc/contract/tools/tools.ts';
import { canonicalKey } from '../../schema/canonical-key.ts';

const isSame = (one: unknown, other: unknown): boolean =>
  one === undefined || other === undefined ? one === other : canonicalKey(one) === canonicalKey(other);

type Standing = Pick<Tool, 'description' | 'risk_rating' | 'dangerous' | 'execution'>;

const CALLED_BY = ['method', 'url', 'headers', 'query', 'body', 'graphql'] as const;

/** What the document says otherwise of the call, in what people have made of it since: the credential stays, and so does what they changed. */
const mergedExecution = (standing: ToolExecution | null, taken: ToolExecution, proposed: ToolExecution): ToolExecution => {
  if (standing === null) return proposed;
  const merged: Record<string, unknown> = { ...standing };
  for (const member of CALLED_BY) {
    if (isSame(taken[member], proposed[member])) continue;
    if (proposed[member] === undefined) delete merged[member];
    else merged[member] = proposed[member];
  }
  return merged as ToolExecution;
};

const rank = (rating: Tool['risk_rating']): number => RISK_RATINGS.indexOf(rating);

/**
 * The change of a tool that a later document asks for [a three-way merge]: only members that it says otherwise than the document that the tool
 * was taken over from. A document raises a risk and never lowers one; that takes people who look at the tool.
 */
export const proposedChange = (standing: Standing, taken: ProposedDeclaration, proposed: ProposedDeclaration): ToolChange => {
  const differs = (member: keyof ProposedDeclaration): boolean => !isSame(taken[member], proposed[member]);
  return {
    ...(differs('description') ? { description: proposed.description } : {}),
    ...(differs('required_capability') ? { required_capability: proposed.required_capability } : {}),
    ...(differs('destination_allowlist') ? { destination_allowlist: proposed.destination_allowlist } : {}),
    ...(differs('risk_rating') && rank(proposed.risk_rating) > rank(standing.risk_rating) ? { risk_rating: proposed.risk_rating } : {}),
    ...(differs('dangerous') && proposed.dangerous && !standing.dangerous ? { dangerous: true } : {}),
    ...(differs('parameters_schema') ? { parameters_schema: proposed.parameters_schema } : {}),
    ...(differs('execution') ? { execution: mergedExecution(standing.execution, taken.execution, proposed.execution) } : {}),
  };
};
