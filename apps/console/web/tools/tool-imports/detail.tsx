import type { OperationResult } from '@svc/client/client-types.ts';
import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import { type ReactNode, useState } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { useMutation } from '../../data/use-mutation.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { Checkbox } from '../../design/checkbox.tsx';
import { Button } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { Problem } from '../../design/problem.tsx';
import { StatusPill, type Tone } from '../../design/status-pill.tsx';
import type { Column } from '../../design/table.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import { formatRisk } from '../tools/list.tsx';

type Proposal = OperationResult<'listToolProposals'>['items'][number];

const PARENT = { name: 'Imports', path: buildConsolePath('toolImports') };
const TONES: Readonly<Record<Proposal['state'], Tone>> = {
  NEW: 'allowed',
  CHANGED: 'held',
  UNCHANGED: 'neutral',
  GONE: 'neutral',
  REFUSED: 'blocked',
};

type ImportPageProps = { readonly params: RouteParams<'toolImport'>; readonly session: Session };

/** One imported document: its operations, and which of them become tools. */
export const ToolImportPage = ({ params, session }: ImportPageProps): ReactNode => {
  const { data: document, error } = useOperation('getToolImport', { params });
  const list = usePages('listToolProposals', { params });
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { announce, announcement } = useAnnouncement();
  const apply = useMutation(
    (keys: readonly string[]) => client.request('applyToolImport', { params, body: { keys: [...keys] } }),
    ({ counts }) => {
      announce(`${counts.CREATED} created, ${counts.UPDATED} changed, ${counts.REFUSED} refused.`);
      setChosen(new Set());
      void refresh('getToolImport', 'listToolProposals', 'listTools');
    },
  );
  const toggle = (key: string): void =>
    setChosen((before) => new Set(before.has(key) ? [...before].filter((each) => each !== key) : [...before, key]));
  const rows = list.items?.map((item) => ({ ...item, id: item.key }));
  const columns: readonly Column<Proposal & { readonly id: string }>[] = [
    {
      name: 'Tool',
      show: ({ key, name, state }) =>
        state === 'NEW' || state === 'CHANGED' ? (
          <Checkbox label={name} checked={chosen.has(key)} onChange={() => toggle(key)} />
        ) : (
          <bdi>{name}</bdi>
        ),
    },
    { name: 'State', show: ({ state }) => <StatusPill tone={TONES[state]}>{state.charAt(0) + state.slice(1).toLowerCase()}</StatusPill> },
    {
      name: 'Operation',
      show: ({ operation, summary, reason }) => <bdi>{reason ?? (summary === '' ? operation : summary)}</bdi>,
      isLong: true,
    },
    { name: 'Risk', show: ({ risk_rating }) => (risk_rating === null ? '' : formatRisk(risk_rating)) },
    { name: 'Capability', show: ({ required_capability }) => required_capability ?? '' },
    { name: 'Destinations', show: ({ destinations }) => destinations.join(', ') },
  ];
  const mayApply = may(session, 'tool:create');
  return (
    <ConsolePage
      title={document?.title ?? 'Import'}
      parent={PARENT}
      actions={
        mayApply ? (
          <Button disabled={chosen.size === 0} loading={apply.isPending} onClick={() => void apply.run([...chosen])}>
            Create {chosen.size === 0 ? 'selected tools' : `${chosen.size} ${chosen.size === 1 ? 'tool' : 'tools'}`}
          </Button>
        ) : null
      }
    >
      <Problem error={error ?? apply.error} />
      {announcement}
      <ListTable
        label="Operations"
        list={{ ...list, items: rows }}
        isCounted
        isDense
        columns={columns}
        empty="The document has no operations."
      />
    </ConsolePage>
  );
};
