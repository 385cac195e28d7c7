import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { Button } from '../../../design/kit.tsx';
import { ConditionRow } from './condition-row.tsx';
import type { Draft } from './draft.ts';
import { appendItem, type Path, replaceValue } from './edit-text.ts';
import { type BuilderMembers, isMembers } from './language.ts';

const NEW: BuilderMembers = { field: 'tool.name', op: 'eq', value: '' };
const GROUPS = [
  { value: 'all', label: 'All of these' },
  { value: 'any', label: 'Any of these' },
];

const groupName = (condition: BuilderMembers): 'all' | 'any' | undefined =>
  Array.isArray(condition.all) ? 'all' : Array.isArray(condition.any) ? 'any' : undefined;

type NodeProps = { readonly draft: Draft; readonly path: Path; readonly condition: BuilderMembers; readonly remove: () => void };

/** Conditions of which all or any have to hold; they may be groups themselves. */
const Group = ({ draft, path, condition, remove }: NodeProps): ReactNode => {
  const { text, change } = draft;
  const name = groupName(condition) ?? 'all';
  const items = condition[name] as readonly BuilderMembers[];
  const listPath = [...path, name];
  return (
    <div className="condition-group">
      <div className="condition-row">
        <NativeSelect
          size="sm"
          aria-label="Conditions that have to hold"
          value={name}
          onChange={({ currentTarget }) => change(replaceValue(text, path, { [currentTarget.value]: items }))}
          data={GROUPS}
        />
        <Button size="xs" variant="default" onClick={() => change(appendItem(text, listPath, NEW))}>
          Add condition
        </Button>
        <Button size="xs" variant="default" onClick={() => change(appendItem(text, listPath, { [name === 'all' ? 'any' : 'all']: [NEW] }))}>
          Add group
        </Button>
      </div>
      {items.map((each, index) => (
        <ConditionNode
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity but their position
          key={index}
          draft={draft}
          path={[...listPath, index]}
          condition={each}
          remove={() => (items.length === 1 ? remove() : change(replaceValue(text, [...listPath, index], undefined)))}
        />
      ))}
    </div>
  );
};

const ConditionNode = (props: NodeProps): ReactNode =>
  groupName(props.condition) === undefined ? <ConditionRow {...props} /> : <Group {...props} />;

type ConditionsProps = { readonly draft: Draft; readonly path: Path; readonly rule: BuilderMembers };

/** The conditions of a rule. A rule without any matches every request. */
export const Conditions = ({ draft, path, rule }: ConditionsProps): ReactNode => {
  const { text, change } = draft;
  const when = isMembers(rule.when) && Object.keys(rule.when).length > 0 ? rule.when : undefined;
  const whenPath = [...path, 'when'];
  return (
    <div className="conditions-edit">
      {when === undefined ? <p className="quiet-text">Matches every request.</p> : null}
      {when === undefined ? null : (
        <ConditionNode draft={draft} path={whenPath} condition={when} remove={() => change(replaceValue(text, whenPath, undefined))} />
      )}
      {when !== undefined && groupName(when) !== undefined ? null : (
        <div>
          <Button
            size="xs"
            variant="default"
            onClick={() => change(replaceValue(text, whenPath, when === undefined ? NEW : { all: [when, NEW] }))}
          >
            Add condition
          </Button>
        </div>
      )}
    </div>
  );
};
