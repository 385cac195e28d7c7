import type { FieldCondition, VersionBody } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import { fieldConditions } from '../language/field-conditions.ts';
import { below } from '../values/faults.ts';

const PREFIX = 'agent.labels.';
const SHOWN_MAX = 80;

/** Returns label names that the rules of a version read. */
export const labelsRead = ({ rules }: Pick<VersionBody, 'rules'>): string[] => [
  ...new Set(
    rules.flatMap(({ when }) =>
      fieldConditions(when).flatMap(({ condition: { field } }) => (field.startsWith(PREFIX) ? [field.slice(PREFIX.length)] : [])),
    ),
  ),
];

/** Values of each label that agents have; null for a label with more values than are read. */
export type LabelValues = ReadonlyMap<string, ReadonlySet<string> | null>;

const COMPARED: ReadonlySet<FieldCondition['op']> = new Set<FieldCondition['op']>(['eq', 'neq', 'in', 'not_in']);
const PRESENCE: ReadonlySet<FieldCondition['op']> = new Set<FieldCondition['op']>(['exists', 'not_exists']);
const shown = (text: string): string => JSON.stringify(text.slice(0, SHOWN_MAX));

type Found = { readonly at: string; readonly message: string };

const findFaults = ({ field, op, value }: FieldCondition, pointer: string, held: LabelValues): Found[] => {
  if (!field.startsWith(PREFIX) || PRESENCE.has(op)) return [];
  const label = field.slice(PREFIX.length);
  const values = held.get(label);
  if (values === undefined) return [{ at: below(pointer, 'field'), message: `No agent has the label ${shown(label)}.` }];
  if (values === null || !COMPARED.has(op)) return [];
  const at = below(pointer, 'value');
  const listed = Array.isArray(value) ? value.map((each, index) => [each, below(at, index)] as const) : [[value, at] as const];
  return listed.flatMap(([each, place]) =>
    typeof each !== 'string' || values.has(each)
      ? []
      : [{ at: place, message: `No agent has the label ${shown(label)} with the value ${shown(each)}.` }],
  );
};

/** Warns of conditions on labels, or values of labels, that no agent of the organization has at the moment. */
export const labelsNoAgentHas = ({ rules }: Pick<VersionBody, 'rules'>, held: LabelValues): PolicyWarning[] =>
  rules.flatMap(({ id, when }, position) =>
    fieldConditions(when).flatMap(({ condition, pointer }) =>
      findFaults(condition, `/rules/${position}/when${pointer}`, held).map(({ at, message }) => ({
        kind: 'no_such_label' as const,
        rule_id: id,
        pointer: at,
        message,
      })),
    ),
  );
