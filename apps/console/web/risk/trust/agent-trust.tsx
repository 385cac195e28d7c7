import { NativeSelect } from '@mantine/core';
import type { AgentTrust as Trust } from '@svc/contract/risk/trust/trust-shapes.ts';
import type { EvidenceKind } from '@svc/contract/risk/trust/vocabulary.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { findFault } from '../../data/faults.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { formatDrawn } from '../../data/shown-json.ts';
import { useOperation } from '../../data/use-operation.ts';
import { Ago } from '../../design/ago.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Text } from '../../design/kit.tsx';
import { Problem } from '../../design/problem.tsx';
import { ReasonForm } from '../../design/reason-form.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import { Table } from '../../design/table.tsx';
import { EvidencePill, KIND_NAMES, refreshTrust, type TrustEvidence, type TrustProvider } from './trust-words.tsx';

const DAY_MS = 86_400_000;
const NOTE_CHARS_MAX = 2000;
const EXPIRIES = [30, 90, 180, 365].map((days) => ({ value: String(days), label: `in ${days} days` }));

const inDays = (days: string): string => new Date(Date.now() + Number(days) * DAY_MS).toISOString();

/** A statement of the person who is signed in. */
const StatementForm = ({
  agentId,
  providers,
  done,
}: {
  agentId: string;
  providers: readonly TrustProvider[];
  done: () => void;
}): ReactNode => {
  const options = providers.flatMap(({ id, name, evidence_kinds }) =>
    evidence_kinds.map((kind) => ({ value: `${id} ${kind}`, label: `${KIND_NAMES[kind]}: ${name}` })),
  );
  return (
    <Form
      submit="Add evidence"
      send={({ source = '', days = '', note = '' }) => {
        const [provider_id = '', kind = ''] = source.split(' ');
        const body = {
          agent_id: agentId,
          provider_id,
          kind: kind as EvidenceKind,
          format: 'NONE' as const,
          note,
          expires_at: inDays(days),
        };
        return client.request('addTrustEvidence', { body });
      }}
      then={done}
      fields={(error) => (
        <>
          <NativeSelect name="source" label="Kind and provider" data={options} error={findFault(error, 'provider_id')} />
          <TextField error={error} name="note" label="Your statement" maxLength={NOTE_CHARS_MAX} />
          <NativeSelect name="days" label="Expires" data={EXPIRIES} defaultValue="90" error={findFault(error, 'expires_at')} />
        </>
      )}
    />
  );
};

const AddStatement = ({ agentId }: { readonly agentId: string }): ReactNode => {
  const { data } = useOperation('listTrustProviders', { query: { status: 'ACTIVE', limit: 100 } });
  const providers = data?.filter(({ kind }) => kind === 'MANUAL') ?? [];
  if (providers.length === 0) return null;
  return (
    <DialogButton label="Add a statement">
      {(close) => (
        <StatementForm
          agentId={agentId}
          providers={providers}
          done={() => {
            close();
            void refreshTrust();
          }}
        />
      )}
    </DialogButton>
  );
};

const Revoke = ({ id, kind, lowers }: TrustEvidence): ReactNode => (
  <DialogButton label="Revoke" to={KIND_NAMES[kind]}>
    {(close) => (
      <ReasonForm
        submit="Revoke"
        isDanger
        send={(reason) => client.request('revokeTrustEvidence', { params: { trustEvidenceId: id }, body: { reason } })}
        then={() => {
          close();
          void refreshTrust();
        }}
      >
        <Text mb="md">
          {lowers ? 'The level of the agent is no longer kept low by it.' : 'The next decision no longer counts it.'} It cannot be added
          again.
        </Text>
      </ReasonForm>
    )}
  </DialogButton>
);

const COUNTING = ['VALID', 'EXPIRING'];

const Evidence = ({ evidence, mayUpdate }: { readonly evidence: readonly TrustEvidence[]; readonly mayUpdate: boolean }): ReactNode => (
  <Table
    label="Evidence"
    rows={evidence}
    keyOf={({ id }) => id}
    columns={[
      { name: 'Kind', show: ({ kind, lowers }) => `${KIND_NAMES[kind]}${lowers ? ' (failed)' : ''}` },
      { name: 'Level', show: ({ level }) => level },
      { name: 'Status', show: ({ status }) => <EvidencePill status={status} /> },
      { name: 'Expires', show: ({ expires_at }) => <Ago at={expires_at} /> },
      ...(mayUpdate
        ? [{ name: 'Change', show: (piece: TrustEvidence) => (COUNTING.includes(piece.status) ? <Revoke {...piece} /> : null) }]
        : []),
    ]}
    empty="No evidence yet."
  />
);

const Requirements = ({ requirements }: Pick<Trust, 'requirements'>): ReactNode => (
  <ul className="rows">
    {requirements.map(({ of, id, name, is_met }) => (
      <li key={id}>
        <span>
          {of === 'TOOL' ? 'Tool' : 'Environment'} <bdi>{name}</bdi>
        </span>
        <StatusPill tone={is_met ? 'allowed' : 'blocked'}>{is_met ? 'Met' : 'Not met: actions are refused'}</StatusPill>
      </li>
    ))}
  </ul>
);

type AgentTrustProps = { readonly agentId: string; readonly session: Session };

/** Trust level of an agent, its evidence with expiries, and how to raise the level. */
export const AgentTrust = ({ agentId, session }: AgentTrustProps): ReactNode => {
  const { data: trust, error } = useOperation('getAgentTrust', { params: { agentId } });
  const mayUpdate = may(session, 'trust:update');
  if (error) return <Problem error={error} />;
  if (trust === undefined) return <Skeleton lines={4} />;
  return (
    <>
      <p>
        <StatusPill tone={trust.level === 0 || trust.is_lowered ? 'held' : 'allowed'}>Level {trust.level} of 4</StatusPill>
      </p>
      <Requirements requirements={trust.requirements} />
      <Evidence evidence={trust.evidence} mayUpdate={mayUpdate} />
      {trust.next_steps.length === 0 ? null : (
        <>
          <Text>To raise the level:</Text>
          <ul>
            {trust.next_steps.map((step) => (
              <li key={step}>{formatDrawn(step)}</li>
            ))}
          </ul>
        </>
      )}
      {mayUpdate ? <AddStatement agentId={agentId} /> : null}
    </>
  );
};
