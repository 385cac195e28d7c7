import type { ReactNode } from 'react';
import { useOperation } from '../../data/use-operation.ts';
import { useQueryState } from '../../data/use-query-state.ts';
import { Problem } from '../../design/problem.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { type DescribedOperation, readOperations } from './api-operation.ts';
import { TryOperation } from './try-operation.tsx';

const NAMES = ['q', 'operation'] as const;
const SHOWN_MAX = 40;

const matches = ({ name, summary, path }: DescribedOperation, text: string): boolean =>
  text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `${name} ${summary} ${path}`.toLowerCase().includes(word));

type ListProps = {
  readonly operations: readonly DescribedOperation[];
  readonly chosen: string | undefined;
  readonly onChoose: (name: string) => void;
};

const List = ({ operations, chosen, onChoose }: ListProps): ReactNode => (
  <>
    <ul className="operations">
      {operations.slice(0, SHOWN_MAX).map(({ name, method, path }) => (
        <li key={name}>
          <button type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
            <strong>{name}</strong>
            <code>
              {method} {path}
            </code>
          </button>
        </li>
      ))}
    </ul>
    <p className="quiet-text" role="status">
      {operations.length > SHOWN_MAX
        ? `${SHOWN_MAX} of ${operations.length} shown. Enter more of the name.`
        : `${operations.length} ${operations.length === 1 ? 'operation' : 'operations'}`}
    </p>
  </>
);

/** Every operation of the control plane, from the document that describes it, sent with the session of the person. */
export const ApiExplorer = (): ReactNode => {
  const { data, error } = useOperation('controlOpenapi', {}, { isOnce: true });
  const { values, set } = useQueryState(NAMES);
  const operations = data === undefined ? [] : readOperations(data);
  const chosen = operations.find(({ name }) => name === values.operation);
  return (
    <ConsolePage title="API explorer">
      <Problem error={error ?? undefined} />
      {data === undefined && !error ? <Skeleton lines={8} /> : null}
      {data === undefined ? null : (
        <div className="split explorer">
          <div>
            <SearchField label="Operation or path" value={values.q ?? ''} onChange={(q) => set({ q })} />
            <List
              operations={operations.filter((each) => matches(each, values.q ?? ''))}
              chosen={values.operation}
              onChoose={(operation) => set({ operation })}
            />
          </div>
          <div>{chosen === undefined ? <p>Choose an operation.</p> : <TryOperation key={chosen.name} operation={chosen} />}</div>
        </div>
      )}
    </ConsolePage>
  );
};
