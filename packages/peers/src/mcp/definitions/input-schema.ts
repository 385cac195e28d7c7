/** Turns the input schema and the annotations of a definition into terms of a governed tool. */
import { RISK_RATINGS, type RiskRating } from '@svc/contract/tables/vocabulary.ts';
import type { Fault } from '@svc/domain/tools/fault.ts';
import { normaliseSchema } from '@svc/domain/tools/schema/normalise-schema.ts';
import { checkParametersSchema, uncheckedConstraints } from '@svc/domain/tools/schema/parameters-schema.ts';
import type { ToolDefinition } from './definition.ts';

/** The schema of a tool's parameters. `unchecked` are constraints of the server that this service does not check; pointers are into `inputSchema`. */
export type ParametersSchema =
  | { readonly schema: Readonly<Record<string, unknown>>; readonly unchecked: readonly Fault[] }
  | { readonly faults: readonly Fault[] };

/** Returns the schema by which calls of a tool are checked, or the reasons why none can be made of its definition. */
export const parametersSchema = ({ inputSchema }: ToolDefinition): ParametersSchema => {
  const faults = checkParametersSchema(inputSchema);
  if (faults.length > 0) return { faults };
  return { schema: normaliseSchema(inputSchema).schema, unchecked: uncheckedConstraints(inputSchema) };
};

/** How a tool is rated. */
export type SuggestedTerms = { readonly risk_rating: RiskRating; readonly dangerous: boolean };

const higher = (a: RiskRating, b: RiskRating): RiskRating => (RISK_RATINGS.indexOf(a) < RISK_RATINGS.indexOf(b) ? b : a);

const rate = ({ annotations }: ToolDefinition): SuggestedTerms => {
  if (annotations === undefined) return { risk_rating: 'MEDIUM', dangerous: false };
  const { readOnlyHint, destructiveHint, openWorldHint } = annotations;
  if (destructiveHint === true) return { risk_rating: 'HIGH', dangerous: true };
  // Without the hint, the protocol takes a tool to reach an open world.
  const isHarmless = readOnlyHint === true && openWorldHint === false;
  return { risk_rating: isHarmless ? 'LOW' : 'MEDIUM', dangerous: false };
};

/** Returns the terms that the annotations suggest. They are claims of the server, so they never lower what a person chose. */
export const buildSuggestedTerms = (definition: ToolDefinition, chosen?: SuggestedTerms): SuggestedTerms => {
  const suggested = rate(definition);
  if (chosen === undefined) return suggested;
  return {
    risk_rating: higher(chosen.risk_rating, suggested.risk_rating),
    dangerous: chosen.dangerous || suggested.dangerous,
  };
};
