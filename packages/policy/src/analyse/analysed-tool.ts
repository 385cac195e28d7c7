import type { EnvironmentType } from '@svc/contract/tables/vocabulary.ts';
import type { Tool } from '@svc/contract/tools/tools.ts';
import type { Field } from '../language/find-field.ts';
import { type Presence, presenceOf } from './declared/declared-parameters.ts';

/** What the analysis reads of a tool's declaration. */
export type AnalysedTool = Pick<
  Tool,
  | 'name'
  | 'required_capability'
  | 'kind'
  | 'risk_rating'
  | 'dangerous'
  | 'parameters_schema'
  | 'amount_from'
  | 'currency_from'
  | 'destination_from'
> & {
  /** Where the gateway calls it, when it does; only whether there is one matters. */
  readonly execution: unknown;
  /** Where it is registered; left out where nobody asked. */
  readonly workspace_id?: string;
  readonly environment_type?: EnvironmentType;
};

const READ: Readonly<Record<string, (tool: AnalysedTool) => unknown>> = {
  'tool.name': (tool) => tool.name,
  'tool.capability': (tool) => tool.required_capability,
  capability: (tool) => tool.required_capability,
  'tool.kind': (tool) => tool.kind,
  'tool.risk_rating': (tool) => tool.risk_rating,
  'tool.dangerous': (tool) => tool.dangerous,
  'workspace.id': (tool) => tool.workspace_id,
  'environment.type': (tool) => tool.environment_type,
};

/** The value that every request for the tool has in this field; undefined when they differ. */
export const fixedValue = (tool: AnalysedTool, name: string): unknown => (Object.hasOwn(READ, name) ? READ[name]?.(tool) : undefined);

const ALWAYS: Presence = { there: 'always', schema: true };
const MAYBE: Presence = { ...ALWAYS, there: 'maybe' };
const when = (holds: boolean): Presence => (holds ? ALWAYS : MAYBE);

/** Whether a request for the tool has a value in this field. What the agent cannot leave out counts as always there. */
export const presence = (tool: AnalysedTool, field: Field): Presence => {
  if (field.row.family === 'path') return presenceOf(tool.parameters_schema, field.segments);
  if (field.name === 'amount') return when(tool.amount_from !== null);
  // An amount that is declared without its currency is in the base currency, and no request says otherwise.
  if (field.name === 'currency') return when(tool.currency_from !== null || tool.amount_from !== null);
  if (field.name === 'destination.host' || field.name === 'destination.port')
    return when(tool.destination_from !== null || tool.execution !== null);
  return field.name === 'destination.ip' ? MAYBE : ALWAYS;
};
