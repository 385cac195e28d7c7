import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';
import { Checkbox } from '../../../design/checkbox.tsx';
import { Button } from '../../../design/kit.tsx';
import { BuilderInput } from './builder-input.tsx';
import { Conditions } from './conditions.tsx';
import { DemandFields } from './demand-fields.tsx';
import type { Draft } from './draft.ts';
import { replaceValue, sliceText, swapItems } from './edit-text.ts';
import { type BuilderMembers, isMembers } from './language.ts';
import { unshownRule } from './shown-parts.ts';

/** Members without which an effect is invalid. */
const REQUIRED: Readonly<Record<string, BuilderMembers>> = {
  limit: { limit: { max_calls: 10, window_seconds: 3600 } },
  mask: { mask: { parameters: ['*'] } },
};

type RuleProps = {
  readonly draft: Draft;
  readonly index: number;
  readonly count: number;
  readonly rule: unknown;
  /** Sentences about this rule: faults, warnings and missing tests. */
  readonly remarks: readonly string[];
};

const Remarks = ({ remarks }: Pick<RuleProps, 'remarks'>): ReactNode =>
  remarks.length === 0 ? null : (
    <ul className="remarks">
      {remarks.map((each) => (
        <li key={each}>{each}</li>
      ))}
    </ul>
  );

const Moves = ({ draft, index, count, name }: Pick<RuleProps, 'draft' | 'index' | 'count'> & { readonly name: string }): ReactNode => {
  const { text, change } = draft;
  const swap = (other: number): void => change(swapItems(text, ['rules'], index, other));
  return (
    <>
      <Button size="xs" variant="subtle" disabled={index === 0} aria-label={`Move ${name} up`} onClick={() => swap(index - 1)}>
        Up
      </Button>
      <Button size="xs" variant="subtle" disabled={index === count - 1} aria-label={`Move ${name} down`} onClick={() => swap(index + 1)}>
        Down
      </Button>
      <Button
        size="xs"
        variant="subtle"
        aria-label={`Remove ${name}`}
        disabled={count === 1}
        onClick={() => change(replaceValue(text, ['rules', index], undefined))}
      >
        Remove
      </Button>
    </>
  );
};

const Fields = ({ draft, index, rule }: Pick<RuleProps, 'draft' | 'index'> & { readonly rule: BuilderMembers }): ReactNode => {
  const { builder, text, change } = draft;
  const path = ['rules', index];
  const effect = builder.effects.find(({ name }) => name === rule.effect);
  const set = (name: string, value: unknown): void => change(replaceValue(text, [...path, name], value));
  const setEffect = (name: string): void => {
    const next = builder.effects.find((each) => each.name === name)?.demand;
    const before = effect?.demand?.member;
    const without = before === undefined || before === next?.member ? text : replaceValue(text, [...path, before], undefined);
    const named = replaceValue(without, [...path, 'effect'], name);
    const demanded = next?.required === true && rule[next.member] === undefined ? REQUIRED[next.member]?.[next.member] : undefined;
    change(demanded === undefined || next === undefined || next === null ? named : replaceValue(named, [...path, next.member], demanded));
  };
  return (
    <>
      <div className="condition-row">
        <NativeSelect
          size="sm"
          label="Effect"
          value={String(rule.effect)}
          onChange={({ currentTarget }) => setEffect(currentTarget.value)}
          data={builder.effects.map(({ name, label }) => ({ value: name, label }))}
        />
        <BuilderInput label="Id" value={String(rule.id ?? '')} maxLength={64} save={(entered) => void set('id', entered)} />
      </div>
      <BuilderInput
        label="Reason, shown to the people affected"
        value={String(rule.reason ?? '')}
        maxLength={500}
        save={(entered) => void set('reason', entered)}
      />
      <h4>When</h4>
      <Conditions draft={draft} path={path} rule={rule} />
      {rule.effect === 'ALLOW' && rule.if_missing === undefined ? null : (
        <Checkbox
          label="Also match if a field is missing"
          checked={rule.if_missing === 'match'}
          onChange={({ currentTarget }) => set('if_missing', currentTarget.checked ? 'match' : undefined)}
        />
      )}
      {effect?.demand ? (
        <details open={effect.demand.required}>
          <summary>
            {effect.demand.member === 'approval' ? 'Approval' : effect.demand.member === 'limit' ? 'Limit' : 'Masked values'}
          </summary>
          <DemandFields
            draft={draft}
            path={path}
            demand={effect.demand}
            values={isMembers(rule[effect.demand.member]) ? (rule[effect.demand.member] as BuilderMembers) : undefined}
          />
        </details>
      ) : null}
    </>
  );
};

/** A part of the draft that the builder cannot show without losing some of it. */
export const LockedPart = ({
  draft,
  path,
  reason,
}: {
  readonly draft: Draft;
  readonly path: readonly (string | number)[];
  readonly reason: string;
}): ReactNode => (
  <>
    <p className="quiet-text">Shown as JSON, since {reason}.</p>
    <pre className="request">{sliceText(draft.text, [...path])}</pre>
    <div>
      <Button size="xs" variant="default" onClick={() => draft.openJson([...path])}>
        Edit as JSON
      </Button>
    </div>
  </>
);

/** One rule as fields, or as JSON where fields would lose a part of it. */
export const RuleCard = ({ draft, index, count, rule, remarks }: RuleProps): ReactNode => {
  const id = isMembers(rule) && typeof rule.id === 'string' ? rule.id : '';
  const name = `rule ${id || index + 1}`;
  const reason = unshownRule(draft.builder, draft.text, index, rule, draft.currency);
  return (
    <section className="rule-card" aria-label={`Rule ${id || index + 1}`}>
      <header>
        <strong>
          {index + 1}. <code>{id}</code>
        </strong>
        <span>
          <Moves draft={draft} index={index} count={count} name={name} />
        </span>
      </header>
      <Remarks remarks={remarks} />
      {reason === undefined ? (
        <Fields draft={draft} index={index} rule={rule as BuilderMembers} />
      ) : (
        <LockedPart draft={draft} path={['rules', index]} reason={reason} />
      )}
    </section>
  );
};
