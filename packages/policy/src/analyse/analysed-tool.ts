import type { EnvironmentType } from '@svc/contract/tables/vocabulary.ts';
import type { Tool } from '@svc/contract/tools/tools.ts';
import type { PolicyField } from '../language/find-field.ts';
import { type Presence, readPresence } from './declared/declared-parameters.ts';

/** The members of a tool's declaration that the analysis reads. */
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
  /** The execution settings, if the gateway calls the tool; only their presence matters. */
  readonly execution: unknown;
  /** The workspace of the tool; optional. */
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

/** Returns the value of this field in every request for the tool; undefined if requests differ. */
export const fixedValue = (tool: AnalysedTool, name: string): unknown => (Object.hasOwn(READ, name) ? READ[name]?.(tool) : undefined);

const ALWAYS: Presence = { there: 'always', schema: true };
const MAYBE: Presence = { ...ALWAYS, there: 'maybe' };
const when = (holds: boolean): Presence => (holds ? ALWAYS : MAYBE);

/** Returns if a request for the tool has a value in this field. A value that the agent cannot leave out counts as always present. */
export const presence = (tool: AnalysedTool, field: PolicyField): Presence => {
  if (field.row.family === 'path') return readPresence(tool.parameters_schema, field.segments);
  if (field.name === 'amount') return when(tool.amount_from !== null);
  // An amount declared without a currency is in the base currency, and no request states another.
  if (field.name === 'currency') return when(tool.currency_from !== null || tool.amount_from !== null);
  if (field.name === 'destination.host' || field.name === 'destination.port')
    return when(tool.destination_from !== null || tool.execution !== null);
  return field.name === 'destination.ip' ? MAYBE : ALWAYS;
};
