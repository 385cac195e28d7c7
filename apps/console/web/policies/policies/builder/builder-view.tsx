import type { ReactNode } from 'react';
import { useOperation } from '../../../data/use-operation.ts';
import { Button } from '../../../design/kit.tsx';
import { Problem } from '../../../design/problem.tsx';
import { Skeleton } from '../../../design/skeleton.tsx';
import type { Check } from '../policy.ts';
import { readText } from '../use-policy-check.ts';
import type { Draft } from './draft.ts';
import { appendItem } from './edit-text.ts';
import { type Builder, isMembers } from './language.ts';
import { RuleCard } from './rule-card.tsx';
import { TestCard } from './test-card.tsx';

type Fault = { readonly pointer: string; readonly message: string };

type ViewProps = Omit<Draft, 'builder'> & {
  readonly check: Check | undefined;
  readonly faults: readonly Fault[];
  /** True while the text is not JSON: the parts are those of the last text that was, and cannot be changed. */
  readonly isLocked: boolean;
};

/** Parsed from JSON, because linters take an object with a member "then" for a promise. */
const EXPECTATION = JSON.parse('{"then":{"effect":"BLOCK"}}') as object;

const ruleId = (rule: unknown): string | undefined => (isMembers(rule) && typeof rule.id === 'string' ? rule.id : undefined);

const freeId = (taken: readonly string[]): string => {
  let number = taken.length + 1;
  while (taken.includes(`rule-${number}`)) number += 1;
  return `rule-${number}`;
};

const freeName = (tests: readonly unknown[]): string => {
  const names = new Set(tests.map((each) => (isMembers(each) ? each.name : undefined)));
  let number = tests.length + 1;
  while (names.has(`test ${number}`)) number += 1;
  return `test ${number}`;
};

/** Sentences about one rule: what is wrong with it, its warnings, and that no test reaches it. */
const listRemarks = (rule: unknown, index: number, { check, faults }: Pick<ViewProps, 'check' | 'faults'>): readonly string[] => {
  const id = ruleId(rule);
  return [
    ...faults.filter(({ pointer }) => `${pointer}/`.startsWith(`/rules/${index}/`)).map(({ message }) => message),
    ...(check?.warnings ?? []).filter(({ rule_id }) => rule_id === id).map(({ message }) => message),
    ...(id !== undefined && check?.untested_rules.includes(id) ? ['No test reaches this rule.'] : []),
  ];
};

const showResult = (each: unknown, check: Check | undefined): ReactNode => {
  const result = check?.tests.results.find(({ name }) => isMembers(each) && name === each.name);
  return result === undefined ? null : <span className="quiet-text">{result.passed ? 'Passes' : `Fails: ${result.difference}`}</span>;
};

const Parts = ({ check, faults, isLocked, ...draft }: ViewProps & { readonly builder: Builder }): ReactNode => {
  const { text, change } = draft;
  const read = readText(text);
  if (typeof read === 'string') return <p>{read}</p>;
  const { rules, tests } = read;
  const ids = rules.flatMap((rule) => ruleId(rule) ?? []);
  const newRule = { id: freeId(ids), effect: 'BLOCK', when: { field: 'tool.name', op: 'eq', value: '' }, reason: 'Replace this reason.' };
  const newTest = { name: freeName(tests), given: { 'tool.name': '' }, ...EXPECTATION };
  return (
    <fieldset className="builder" disabled={isLocked} aria-label="Builder">
      {rules.map((rule, index) => (
        <RuleCard
          // biome-ignore lint/suspicious/noArrayIndexKey: ids may repeat while they are typed
          key={index}
          draft={draft}
          index={index}
          count={rules.length}
          rule={rule}
          remarks={listRemarks(rule, index, { check, faults })}
        />
      ))}
      <div>
        <Button size="sm" variant="default" onClick={() => change(appendItem(text, ['rules'], newRule))}>
          Add rule
        </Button>
      </div>
      <h3>Tests</h3>
      {tests.map((each, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat while they are typed
        <TestCard key={index} draft={draft} index={index} each={each} ruleIds={ids} result={showResult(each, check)} />
      ))}
      <div>
        <Button size="sm" variant="default" onClick={() => change(appendItem(text, ['tests'], newTest))}>
          Add test
        </Button>
      </div>
    </fieldset>
  );
};

/** The draft as rules and tests with fields. Changes one value of the text at a time and leaves the rest as it is written. */
export const BuilderView = (props: ViewProps): ReactNode => {
  const { data, error } = useOperation('getBuilderSchema', {});
  if (error) return <Problem error={error} />;
  return data === undefined ? <Skeleton lines={8} /> : <Parts {...props} builder={data as Builder} />;
};
