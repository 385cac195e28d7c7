import { NativeSelect } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { refresh, useOperation } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { Ago } from '../../design/ago.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { Problem } from '../../design/problem.tsx';
import { ReasonForm } from '../../design/reason-form.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import type { Column } from '../../design/table.tsx';
import { Changes } from './changes.tsx';
import { buildReviewPath, type Policy, type Version } from './policy.ts';

type VersionsProps = { readonly policy: Policy; readonly session: Session; readonly done: (text: string) => void };

const Rollback = ({ policy, version, done }: Omit<VersionsProps, 'session'> & { readonly version: Version }): ReactNode => (
  <DialogButton label="Roll back" to={`version ${version.version_number}`} title={`Roll back to version ${version.version_number}`}>
    {(close) => (
      <ReasonForm
        submit="Roll back"
        isDanger
        send={(reason) =>
          client.request('rollbackPolicy', {
            params: { policyId: policy.id },
            body: { target_version_number: version.version_number, reason },
          })
        }
        then={() => {
          close();
          done(`Rolled back to the content of version ${version.version_number}.`);
          void refresh('getPolicy', 'listPolicies', 'listPolicyVersions');
        }}
      >
        <p>A new version with the content of version {version.version_number} becomes active at once.</p>
      </ReasonForm>
    )}
  </DialogButton>
);

/** Displays the differences in rules and tests between two versions. */
const VersionComparison = ({ policy }: { readonly policy: Policy }): ReactNode => {
  const numbers = policy.versions.map(({ version_number }) => version_number);
  const [from, setFrom] = useState(policy.active_version?.version_number ?? numbers.at(-1) ?? 1);
  const [to, setTo] = useState(numbers[0] ?? 1);
  const { data, error } = useOperation('diffPolicy', { params: { policyId: policy.id }, query: { from, to, days: 0 } });
  const options = numbers.map((each) => ({ value: String(each), label: `Version ${each}` }));
  const findContent = (number: number) => policy.versions.find(({ version_number }) => version_number === number);
  return (
    <>
      <div className="filters">
        <NativeSelect
          label="From"
          value={String(from)}
          onChange={({ currentTarget }) => setFrom(Number(currentTarget.value))}
          data={options}
        />
        <NativeSelect label="To" value={String(to)} onChange={({ currentTarget }) => setTo(Number(currentTarget.value))} data={options} />
      </div>
      <Problem error={error ?? undefined} />
      {data === undefined ? null : (
        <>
          <Changes title="Rules" change={data.rules} before={findContent(from)?.rules ?? []} after={findContent(to)?.rules ?? []} />
          <Changes title="Tests" change={data.tests} before={findContent(from)?.tests ?? []} after={findContent(to)?.tests ?? []} />
        </>
      )}
    </>
  );
};

/** Lists the versions, newest first. Compares two of them, or rolls back to an earlier one. */
export const Versions = ({ policy, session, done }: VersionsProps): ReactNode => {
  const list = usePages('listPolicyVersions', { params: { policyId: policy.id } });
  const items = list.items?.map((version) => ({ ...version, id: version.version_id }));
  const columns: readonly Column<Version & { readonly id: string }>[] = [
    {
      name: 'Version',
      show: ({ version_number }) => <a href={buildReviewPath(policy.id, version_number)}>Version {version_number}</a>,
    },
    {
      name: 'Status',
      show: ({ status }) => (
        <StatusPill tone={status === 'ACTIVE' ? 'allowed' : 'neutral'}>{status.charAt(0) + status.slice(1).toLowerCase()}</StatusPill>
      ),
    },
    { name: 'Rules', show: ({ rules }) => rules.length, isNumber: true },
    { name: 'Tests', show: ({ tests }) => tests.length, isNumber: true },
    { name: 'Saved', show: ({ created_at }) => <Ago at={created_at} /> },
    {
      name: '',
      isActions: true,
      show: (version) =>
        version.status === 'SUPERSEDED' && may(session, 'policy:rollback') ? (
          <Rollback policy={policy} version={version} done={done} />
        ) : null,
    },
  ];
  return (
    <>
      <ListTable label="Versions" list={{ ...list, items }} columns={columns} empty="No versions." />
      {policy.versions.length < 2 ? null : (
        <DialogButton label="Compare versions">{() => <VersionComparison policy={policy} />}</DialogButton>
      )}
    </>
  );
};
