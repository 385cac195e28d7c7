import type { OperationResult } from '@svc/client/client-types.ts';
import type { PolicyRule } from '@svc/contract/policies/language.ts';
import type { ReactNode } from 'react';
import { getShownJson } from '../../data/shown-json.ts';
import { type DiffLine, diffLines } from './line-diff.ts';
import type { Version } from './policy.ts';
import { RuleList } from './rule-text.tsx';

type Change = OperationResult<'diffPolicy'>['rules'];
type Named = { readonly id?: unknown; readonly name?: unknown };

const itemName = (item: unknown): string => String((item as Named).id ?? (item as Named).name ?? '');

type ChangesProps = {
  readonly title: string;
  readonly change: Change;
  readonly before: readonly unknown[];
  readonly after: readonly unknown[];
};

const TAGS = { '+': 'ins', '-': 'del', ' ': 'span' } as const;

const Lines = ({ lines }: { readonly lines: readonly DiffLine[] }): ReactNode => (
  <pre className="diff-lines">
    {lines.map(({ sign, text }, index) => {
      const Tag = TAGS[sign];
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their position
        <Tag key={index}>
          {sign} {text}
          {'\n'}
        </Tag>
      );
    })}
  </pre>
);

const listLines = (sign: '+' | '-', item: unknown): readonly DiffLine[] =>
  getShownJson(item)
    .split('\n')
    .map((text) => ({ sign, text }));

/** The added, changed and removed items of a list, each before and after. */
export const Changes = ({ title, change, before, after }: ChangesProps): ReactNode => {
  const find = (list: readonly unknown[], id: string): unknown => list.find((each) => itemName(each) === id);
  const count = change.added.length + change.removed.length + change.changed.length;
  return (
    <section aria-label={title}>
      <h3>
        {title}:{' '}
        {count === 0 ? 'no change' : `${change.added.length} added, ${change.changed.length} changed, ${change.removed.length} removed`}
      </h3>
      {change.changed.map(({ id }) => (
        <div key={id} className="diff">
          <strong>
            <bdi>{id}</bdi>
          </strong>
          <Lines lines={diffLines(getShownJson(find(before, id)), getShownJson(find(after, id)))} />
        </div>
      ))}
      {change.added.map((item) => (
        <div key={itemName(item)} className="diff">
          <strong>
            <bdi>{itemName(item)}</bdi>
          </strong>
          <Lines lines={listLines('+', item)} />
        </div>
      ))}
      {change.removed.map((item) => (
        <div key={itemName(item)} className="diff">
          <strong>
            <bdi>{itemName(item)}</bdi>
          </strong>
          <Lines lines={listLines('-', item)} />
        </div>
      ))}
    </section>
  );
};

/** The rules of a version that no earlier one is compared with. */
export const FirstRules = ({ version }: { readonly version: Version }): ReactNode => (
  <RuleList rules={version.rules as readonly PolicyRule[]} currency={version.currency} />
);
