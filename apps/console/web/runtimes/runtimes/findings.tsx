import { NumberInput } from '@mantine/core';
import type { OperationResult } from '@svc/client/client-types.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { usePages } from '../../data/use-pages.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Text } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { Panel } from '../../design/panel.tsx';
import { StatusPill, type Tone } from '../../design/status-pill.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';

type Finding = OperationResult<'listRuntimeFindings'>['data'][number];

export const SEVERITY_TONES: Readonly<Record<Finding['severity'], Tone>> = {
  CRITICAL: 'blocked',
  HIGH: 'blocked',
  MEDIUM: 'held',
  LOW: 'neutral',
};
const ACCEPTANCE_DAYS = 30;
const CRITICAL_ACCEPTANCE_DAYS = 7;

const Where = ({ finding: { workflow, node } }: { readonly finding: Finding }): ReactNode =>
  workflow === null ? (
    '–'
  ) : (
    <>
      <bdi>{workflow.name}</bdi>
      {node === null ? null : (
        <>
          {' / '}
          <bdi>{node.name}</bdi>
        </>
      )}
    </>
  );

type AcceptProps = { readonly finding: Finding; readonly done: (text: string) => void };

const Accept = ({ finding: { id, title, severity }, done }: AcceptProps): ReactNode => (
  <DialogButton label="Accept risk" to={title}>
    {(close) => (
      <Form
        submit="Accept risk"
        send={({ reason = '', expires_in_days }) =>
          client.request('acceptRuntimeFinding', {
            params: { findingId: id },
            body: { reason, expires_in_days: Number(expires_in_days) },
          })
        }
        then={() => {
          close();
          done('The risk is accepted. The status is at most PARTIAL meanwhile.');
        }}
        fields={(error) => (
          <>
            <Text>Until the day that you set, the finding does not count as open. A change of what was found ends the acceptance.</Text>
            <TextField error={error} name="reason" label="Reason" maxLength={1000} />
            <NumberInput
              name="expires_in_days"
              label="Days"
              min={1}
              defaultValue={severity === 'CRITICAL' ? CRITICAL_ACCEPTANCE_DAYS : ACCEPTANCE_DAYS}
              allowDecimal={false}
              required
            />
          </>
        )}
      />
    )}
  </DialogButton>
);

type FindingsProps = { readonly runtimeId: string; readonly session: Session; readonly done: (text: string) => void };

/** The findings of a runtime that are not resolved, with their remedies. */
export const Findings = ({ runtimeId, session, done }: FindingsProps): ReactNode => {
  const list = usePages('listRuntimeFindings', { query: { runtime_id: runtimeId } });
  const items = list.items?.filter(({ status }) => status !== 'RESOLVED');
  const mayOperate = may(session, 'runtime:operate');
  const columns: readonly Column<Finding>[] = [
    { name: 'Finding', show: ({ title }) => title, isLong: true },
    { name: 'Severity', show: ({ severity }) => <StatusPill tone={SEVERITY_TONES[severity]}>{severity.toLowerCase()}</StatusPill> },
    { name: 'Place', show: (finding) => <Where finding={finding} />, isLong: true },
    { name: 'Remedy', show: ({ remedy }) => remedy.text, isLong: true },
    { name: 'Since', show: ({ first_seen_at }) => <Time at={first_seen_at} /> },
    {
      name: 'Actions',
      isActions: true,
      show: (finding) => {
        if (!mayOperate) return null;
        if (finding.status === 'ACCEPTED')
          return (
            <ActionButton
              does="Withdraw acceptance"
              to={finding.title}
              send={() => client.request('withdrawRuntimeFindingAcceptance', { params: { findingId: finding.id } })}
              then={() => done('The finding is open again.')}
            />
          );
        return finding.acceptable ? <Accept finding={finding} done={done} /> : null;
      },
    },
  ];
  return (
    <Panel title="Findings">
      <ListTable label="Findings" list={{ ...list, items }} columns={columns} empty="No open findings." />
    </Panel>
  );
};
