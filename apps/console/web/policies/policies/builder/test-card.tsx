import { NativeSelect } from '@mantine/core';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '../../../design/kit.tsx';
import { BuilderInput } from './builder-input.tsx';
import { FieldNames } from './condition-row.tsx';
import type { Draft } from './draft.ts';
import { replaceValue } from './edit-text.ts';
import { type BuilderField, type BuilderMembers, findField, givenText, isMembers } from './language.ts';
import { LockedPart } from './rule-card.tsx';
import { unshownTest } from './shown-parts.ts';

const ANY = '';
const NONE = 'none:';

type TestProps = {
  readonly draft: Draft;
  readonly index: number;
  readonly each: unknown;
  readonly ruleIds: readonly string[];
  readonly result: ReactNode;
};
type FieldsProps = Omit<TestProps, 'each' | 'result'> & { readonly each: BuilderMembers };

const AddGiven = ({
  draft,
  index,
  given,
}: {
  readonly draft: Draft;
  readonly index: number;
  readonly given: BuilderMembers;
}): ReactNode => {
  const names = useId();
  const [name, setName] = useState('');
  const field = findField(draft.builder, name);
  const isFree = field !== undefined && given[name] === undefined;
  return (
    <div className="condition-row">
      <BuilderInput
        label="Further field"
        value={name}
        list={names}
        save={(entered) => {
          setName(entered);
          return undefined;
        }}
      />
      <FieldNames builder={draft.builder} id={names} />
      <Button
        size="xs"
        variant="default"
        disabled={!isFree}
        onClick={() => {
          if (field === undefined) return;
          const { read } = givenText(field, draft.currency);
          draft.change(replaceValue(draft.text, ['tests', index, 'given', name], read(field.type === 'integer' ? '0' : '')));
          setName('');
        }}
      >
        Add field
      </Button>
    </div>
  );
};

const Given = ({ draft, index, each }: FieldsProps): ReactNode => {
  const { builder, text, currency, change } = draft;
  const given = each.given as BuilderMembers;
  return (
    <>
      {Object.entries(given).map(([name, value]) => {
        const field = findField(builder, name) as BuilderField;
        const texts = givenText(field, currency);
        const path = ['tests', index, 'given', name];
        return (
          <div key={name} className="condition-row">
            <BuilderInput
              label={name}
              value={texts.write(value)}
              suffix={field.name === 'amount' ? currency : undefined}
              save={(entered) => void change(replaceValue(text, path, texts.read(entered)))}
            />
            <Button size="xs" variant="subtle" aria-label={`Remove ${name}`} onClick={() => change(replaceValue(text, path, undefined))}>
              Remove
            </Button>
          </div>
        );
      })}
      <AddGiven draft={draft} index={index} given={given} />
    </>
  );
};

const Fields = ({ draft, index, each, ruleIds }: FieldsProps): ReactNode => {
  const { builder, text, change } = draft;
  const then = each.then as BuilderMembers;
  const path = ['tests', index];
  const chosen = then.rule === null ? NONE : typeof then.rule === 'string' ? then.rule : ANY;
  const rules = [...new Set([...ruleIds, ...(typeof then.rule === 'string' ? [then.rule] : [])])];
  return (
    <>
      <BuilderInput
        label="Name"
        value={String(each.name ?? '')}
        maxLength={120}
        save={(entered) => void change(replaceValue(text, [...path, 'name'], entered))}
      />
      <h4>Given</h4>
      <Given draft={draft} index={index} each={each} ruleIds={ruleIds} />
      <h4>Then</h4>
      <div className="condition-row">
        <NativeSelect
          size="sm"
          label="Effect"
          value={String(then.effect)}
          onChange={({ currentTarget }) => change(replaceValue(text, [...path, 'then', 'effect'], currentTarget.value))}
          data={builder.effects.map(({ name, label }) => ({ value: name, label }))}
        />
        <NativeSelect
          size="sm"
          label="Decided by"
          value={chosen}
          onChange={({ currentTarget: { value } }) =>
            change(replaceValue(text, [...path, 'then', 'rule'], value === ANY ? undefined : value === NONE ? null : value))
          }
          data={[{ value: ANY, label: 'Any rule' }, { value: NONE, label: 'No rule' }, ...rules.map((id) => ({ value: id, label: id }))]}
        />
      </div>
    </>
  );
};

/** One test as fields, or as JSON where fields would lose a part of it. */
export const TestCard = ({ draft, index, each, ruleIds, result }: TestProps): ReactNode => {
  const name = isMembers(each) && typeof each.name === 'string' && each.name !== '' ? each.name : String(index + 1);
  const reason = unshownTest(draft.builder, draft.text, index, each, draft.currency);
  return (
    <details className="rule-card">
      <summary>
        <bdi>{name}</bdi> {result}
      </summary>
      {reason === undefined ? (
        <Fields draft={draft} index={index} each={each as BuilderMembers} ruleIds={ruleIds} />
      ) : (
        <LockedPart draft={draft} path={['tests', index]} reason={reason} />
      )}
      <div>
        <Button
          size="xs"
          variant="subtle"
          aria-label={`Remove the test ${name}`}
          onClick={() => draft.change(replaceValue(draft.text, ['tests', index], undefined))}
        >
          Remove test
        </Button>
      </div>
    </details>
  );
};
