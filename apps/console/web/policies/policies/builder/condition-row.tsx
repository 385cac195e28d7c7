import { NativeSelect } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Checkbox } from '../../../design/checkbox.tsx';
import { Button } from '../../../design/kit.tsx';
import { BuilderInput } from './builder-input.tsx';
import type { Draft } from './draft.ts';
import { type Path, replaceValue } from './edit-text.ts';
import {
  type Builder,
  type BuilderField,
  type BuilderMembers,
  findField,
  hasStar,
  listOperators,
  valueShape,
  valueText,
} from './language.ts';

type ConditionProps = { readonly draft: Draft; readonly path: Path; readonly condition: BuilderMembers; readonly remove: () => void };

/** A value that an operator takes in the place of the one before, which may not fit it. */
const fitValue = (draft: Draft, name: string, op: string, before: unknown): { readonly value?: unknown } => {
  const { builder, currency } = draft;
  const field = findField(builder, name);
  const operator = listOperators(builder, name).find((each) => each.name === op);
  if (field === undefined || operator === undefined) return {};
  const texts = valueText(builder, field, operator, currency);
  if (texts.shape === 'none') return {};
  return { value: texts.read(before === undefined ? '' : texts.write(before)) };
};

/** The condition with another field or operator, and the members that these need. */
const changeField = (draft: Draft, condition: BuilderMembers, name: string, wanted: unknown): BuilderMembers | undefined => {
  const { builder } = draft;
  const field = findField(builder, name);
  const operators = listOperators(builder, name);
  const operator = operators.find((each) => each.name === wanted) ?? operators[0];
  if (field === undefined || operator === undefined) return undefined;
  const star = hasStar(builder, field, name) ? { quantifier: condition.quantifier ?? 'any' } : {};
  return { field: name, op: operator.name, ...fitValue(draft, name, operator.name, condition.value), ...star };
};

const Value = ({ draft, path, condition }: Omit<ConditionProps, 'remove'>): ReactNode => {
  const list = useId();
  const { builder, currency, text, change } = draft;
  const field = findField(builder, String(condition.field)) as BuilderField;
  const operator = listOperators(builder, String(condition.field)).find(({ name }) => name === condition.op);
  if (operator === undefined || valueShape(builder, operator) === 'none') return null;
  const texts = valueText(builder, field, operator, currency);
  return (
    <>
      <BuilderInput
        label={texts.shape === 'one' ? 'Value' : 'Values, with commas'}
        value={texts.write(condition.value)}
        suffix={field.name === 'amount' ? currency : undefined}
        list={field.values === null ? undefined : list}
        save={(entered) => void change(replaceValue(text, [...path, 'value'], texts.read(entered)))}
      />
      {field.values === null ? null : (
        <datalist id={list}>
          {field.values.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
    </>
  );
};

const QUANTIFIERS = [
  { value: 'any', label: 'Any element' },
  { value: 'all', label: 'All elements' },
];

/** The names of fields that a person may choose from while typing. */
export const FieldNames = ({ builder, id }: { readonly builder: Builder; readonly id: string }): ReactNode => (
  <datalist id={id}>
    {builder.fields.map(({ name }) => (
      <option key={name} value={name.endsWith('*') ? name.slice(0, -1) : name} />
    ))}
  </datalist>
);

/** One condition: its field, the comparisons that fit it, and the value. */
export const ConditionRow = ({ draft, path, condition, remove }: ConditionProps): ReactNode => {
  const names = useId();
  const { builder, text, change } = draft;
  const isNegated = 'not' in condition;
  const inner = (isNegated ? condition.not : condition) as BuilderMembers;
  const innerPath = isNegated ? [...path, 'not'] : path;
  const replace = (next: BuilderMembers): void => change(replaceValue(text, innerPath, next));
  const field = findField(builder, String(inner.field)) as BuilderField;
  return (
    <div className="condition-row">
      <BuilderInput
        label="Field"
        value={String(inner.field)}
        list={names}
        maxLength={256}
        save={(entered) => {
          const next = changeField(draft, inner, entered, inner.op);
          if (next === undefined) return 'No such field.';
          replace(next);
          return undefined;
        }}
      />
      <FieldNames builder={builder} id={names} />
      <NativeSelect
        size="sm"
        label="Comparison"
        value={String(inner.op)}
        onChange={({ currentTarget }) => {
          const next = changeField(draft, inner, String(inner.field), currentTarget.value);
          if (next !== undefined) replace(next);
        }}
        data={listOperators(builder, String(inner.field)).map(({ name, label }) => ({ value: name, label }))}
      />
      <Value draft={draft} path={innerPath} condition={inner} />
      {hasStar(builder, field, String(inner.field)) ? (
        <NativeSelect
          size="sm"
          label="Elements"
          value={String(inner.quantifier)}
          onChange={({ currentTarget }) => change(replaceValue(text, [...innerPath, 'quantifier'], currentTarget.value))}
          data={QUANTIFIERS}
        />
      ) : null}
      <Checkbox
        label="Not"
        checked={isNegated}
        onChange={({ currentTarget }) => change(replaceValue(text, path, currentTarget.checked ? { not: inner } : inner))}
      />
      <Button size="xs" variant="subtle" aria-label={`Remove the condition on ${String(inner.field)}`} onClick={remove}>
        Remove
      </Button>
    </div>
  );
};
