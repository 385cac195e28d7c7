import type { OperationResult } from '@svc/client/client-types.ts';
import type { ReactNode } from 'react';
import { useOperation } from '../../data/use-operation.ts';
import { useQueryState } from '../../data/use-query-state.ts';
import { Problem } from '../../design/problem.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';

type Code = OperationResult<'listErrorCodes'>[number];

const NAMES = ['q'] as const;

const RETRY_WORDS: Readonly<Record<string, string>> = {
  no: 'No',
  never: 'Never',
  once: 'Once',
  once_after_reauthentication: 'Once, after a new sign-in',
  backoff: 'Yes, with a growing delay',
  depends_on_downstream: 'If the tool allows it',
  idempotent_only_after_check: 'After a check, with the same idempotency key',
};

const COLUMNS: readonly Column<Code>[] = [
  {
    name: 'Code',
    show: ({ code, docs_url }) => (
      <a href={docs_url}>
        <code>{code}</code>
      </a>
    ),
  },
  { name: 'Status', show: ({ status }) => status, isNumber: true },
  { name: 'When', show: ({ when }) => when, isLong: true },
  { name: 'Retry', show: ({ retry }) => RETRY_WORDS[retry] ?? retry },
  { name: 'Remedy', show: ({ remedy }) => remedy, isLong: true },
];

const matches = ({ code, when, message }: Code, text: string): boolean =>
  `${code} ${when} ${message}`.toLowerCase().includes(text.trim().toLowerCase());

/** Every error code, with its condition, whether to retry, and what to do. */
export const ErrorCodes = (): ReactNode => {
  const { data, error } = useOperation('listErrorCodes', {});
  const { values, set } = useQueryState(NAMES);
  return (
    <ConsolePage title="Error codes">
      <SearchField label="Code or words" value={values.q ?? ''} onChange={(q) => set({ q })} />
      <Problem error={error ?? undefined} />
      {error ? null : (
        <Table
          label="Error codes"
          columns={COLUMNS}
          rows={data?.filter((row) => matches(row, values.q ?? ''))}
          keyOf={({ code }) => code}
          empty="No code matches."
        />
      )}
    </ConsolePage>
  );
};
