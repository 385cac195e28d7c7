import { Button, Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { useOperation } from '../../data/use-operation.ts';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import {
  addCondition,
  type Builder,
  type DraftCondition,
  findField,
  hasStar,
  listOperators,
  type Quantifier,
  readCondition,
  ruleIds,
  valueShape,
} from './add-condition.ts';

const NEW = '';
const EMPTY: DraftCondition = { field: '', op: '', value: '', quantifier: 'any', isNegated: false };
const QUANTIFIERS = [
  { value: 'any', label: 'Any element' },
  { value: 'all', label: 'All elements' },
];
const VALUE_LABELS = { one: 'Value', list: 'Values, separated by commas', pair: 'Lower and upper value, separated by a comma' } as const;

type PartsProps = { readonly builder: Builder; readonly draft: DraftCondition; readonly change: (part: Partial<DraftCondition>) => void };

const FieldName = ({ builder, draft, change }: PartsProps): ReactNode => {
  const list = useId();
  return (
    <>
      <TextInput
        label="Field"
        placeholder="parameters.path"
        list={list}
        value={draft.field}
        maxLength={200}
        spellCheck={false}
        autoCapitalize="off"
        onChange={({ currentTarget: { value } }) => {
          const fitting = listOperators(builder, value);
          change({ field: value, op: fitting.some(({ name }) => name === draft.op) ? draft.op : (fitting[0]?.name ?? '') });
        }}
      />
      <datalist id={list}>
        {builder.fields.map(({ name }) => (
          <option key={name} value={name.endsWith('*') ? name.slice(0, -1) : name} />
        ))}
      </datalist>
    </>
  );
};

const Comparison = ({ builder, draft, change }: PartsProps): ReactNode => {
  const field = findField(builder, draft.field);
  const operators = listOperators(builder, draft.field);
  const operator = operators.find(({ name }) => name === draft.op);
  const shape = operator === undefined ? 'none' : valueShape(builder, operator);
  const isStar = field !== undefined && hasStar(builder, field, draft.field);
  return (
    <>
      <NativeSelect
        label="Comparison"
        description={operator?.sentence}
        value={draft.op}
        disabled={operators.length === 0}
        onChange={({ currentTarget }) => change({ op: currentTarget.value })}
        data={operators.map(({ name, label }) => ({ value: name, label: `${label} (${name})` }))}
      />
      {isStar ? (
        <NativeSelect
          label="Elements"
          value={draft.quantifier}
          onChange={({ currentTarget }) => change({ quantifier: currentTarget.value as Quantifier })}
          data={QUANTIFIERS}
        />
      ) : null}
      {shape === 'none' ? null : (
        <TextInput
          label={VALUE_LABELS[shape === 'one_or_list' ? 'list' : shape]}
          description={builder.values.find(({ name }) => name === operator?.value)?.sentence}
          value={draft.value}
          maxLength={4000}
          spellCheck={false}
          onChange={({ currentTarget }) => change({ value: currentTarget.value })}
        />
      )}
      <Checkbox
        label="Negate (not)"
        checked={draft.isNegated}
        onChange={({ currentTarget }) => change({ isNegated: currentTarget.checked })}
      />
    </>
  );
};

type ChoiceProps = {
  readonly builder: Builder;
  readonly ids: readonly string[];
  readonly ruleId: string;
  readonly effect: string;
  readonly setRuleId: (id: string) => void;
  readonly setEffect: (effect: string) => void;
};

/** The rule that gets the condition: one of the text, or a new one with an effect that demands no more members. */
const RuleChoice = ({ builder, ids, ruleId, effect, setRuleId, setEffect }: ChoiceProps): ReactNode => (
  <>
    <NativeSelect
      label="Rule"
      value={ruleId}
      onChange={({ currentTarget }) => setRuleId(currentTarget.value)}
      data={[{ value: NEW, label: 'New rule' }, ...ids.map((id) => ({ value: id, label: id }))]}
    />
    {ruleId === NEW ? (
      <NativeSelect
        label="Effect"
        value={effect}
        onChange={({ currentTarget }) => setEffect(currentTarget.value)}
        data={builder.effects.filter(({ demand }) => demand?.required !== true).map(({ name, label }) => ({ value: name, label }))}
      />
    ) : null}
  </>
);

type FormProps = { readonly text: string; readonly setText: (text: string) => void; readonly announce: (said: string) => void };

/** Adds a condition to the text of the editor: the fields and comparisons of the language, with those that fit each other. */
export const ConditionForm = ({ text, setText, announce }: FormProps): ReactNode => {
  const { data, error } = useOperation('getBuilderSchema', {});
  const [draft, setDraft] = useState(EMPTY);
  const [ruleId, setRuleId] = useState(NEW);
  const [effect, setEffect] = useState('BLOCK');
  if (data === undefined) return <Problem error={error ?? undefined} />;
  const builder = data as Builder;
  const ids = ruleIds(text);
  const chosen = ids.includes(ruleId) ? ruleId : NEW;
  const change = (part: Partial<DraftCondition>): void => setDraft((before) => ({ ...before, ...part }));
  const condition = readCondition(builder, draft);
  return (
    <Panel title="Add a condition">
      <Stack gap="sm">
        <RuleChoice builder={builder} ids={ids} ruleId={chosen} effect={effect} setRuleId={setRuleId} setEffect={setEffect} />
        <FieldName builder={builder} draft={draft} change={change} />
        <Comparison builder={builder} draft={draft} change={change} />
        <div>
          <Button
            variant="default"
            disabled={condition === undefined}
            onClick={() => {
              setText(addCondition(text, chosen === NEW ? { effect } : { ruleId: chosen }, condition));
              announce('Condition added to the text.');
            }}
          >
            Add condition
          </Button>
        </div>
      </Stack>
    </Panel>
  );
};
