import { buildConsolePath, type RouteParams } from '@svc/contract/tables/console-routes.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { formatDrawn } from '../../data/shown-json.ts';
import { useOperation } from '../../data/use-operation.ts';
import { usePages } from '../../data/use-pages.ts';
import { Ago } from '../../design/ago.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { Facts } from '../../design/facts.tsx';
import { Text } from '../../design/kit.tsx';
import { ListTable } from '../../design/list-table.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { ReasonForm } from '../../design/reason-form.tsx';
import { Skeleton } from '../../design/skeleton.tsx';
import type { Column } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { ConsolePage } from '../../layout/console-page.tsx';
import {
  EvidencePill,
  KIND_NAMES,
  PROVIDER_NAMES,
  ProviderPill,
  refreshTrust,
  type TrustEvidence,
  type TrustProvider,
} from './trust-words.tsx';

const listFacts = (provider: TrustProvider) => {
  const { status, kind, keys, identities, trusted_root_sha256, evidence_kinds, max_level, disabled_at, disabled_reason } = provider;
  const named = identities.map(({ issuer, subject, subject_prefix }) => `${subject ?? `${subject_prefix}…`} of ${issuer}`);
  return [
    ['Status', <ProviderPill key="status" status={status} />],
    ...(disabled_at === null
      ? []
      : [['Disabled', <Time key="disabled" at={disabled_at} />] as const, ['Reason', formatDrawn(disabled_reason ?? '')] as const]),
    ['Proof', PROVIDER_NAMES[kind]],
    ...(keys.length === 0 ? [] : [['Keys', keys.map(({ kid }) => kid).join(', ')] as const]),
    ...(named.length === 0 ? [] : [['Identities', formatDrawn(named.join(', '))] as const]),
    ...(trusted_root_sha256 === null ? [] : [['Trusted root (SHA-256)', trusted_root_sha256] as const]),
    ['Evidence', evidence_kinds.map((each) => KIND_NAMES[each]).join(', ')],
    ['Highest level', String(max_level)],
    ['Independent', provider.independent ? 'Yes' : 'No'],
    ['Id', provider.id],
  ] as const;
};

const Disable = ({ id, name }: TrustProvider): ReactNode => (
  <DialogButton label="Disable" to={name} isDanger>
    {(close) => (
      <ReasonForm
        submit="Disable"
        isDanger
        send={(reason) => client.request('disableTrustProvider', { params: { trustProviderId: id }, body: { reason } })}
        then={() => {
          close();
          void refreshTrust();
        }}
      >
        <Text mb="md">Its evidence counts for nothing from now on and is revoked. This cannot be undone.</Text>
      </ReasonForm>
    )}
  </DialogButton>
);

const COLUMNS: readonly Column<TrustEvidence>[] = [
  { name: 'Kind', show: ({ kind }) => KIND_NAMES[kind] },
  { name: 'Status', show: ({ status }) => <EvidencePill status={status} /> },
  { name: 'Level', show: ({ level }) => level },
  { name: 'Expires', show: ({ expires_at }) => <Ago at={expires_at} /> },
];

type TrustProviderPageProps = { readonly params: RouteParams<'trustProvider'>; readonly session: Session };

const PARENT = { name: 'Trust', path: buildConsolePath('trustProviders') };

/** One provider, and its evidence about agents. */
export const TrustProviderPage = ({ params, session }: TrustProviderPageProps): ReactNode => {
  const { data: provider, error } = useOperation('getTrustProvider', { params });
  const evidence = usePages('listTrustEvidence', { query: { provider_id: params.trustProviderId } });
  const mayDisable = may(session, 'trust:update') && provider?.status === 'ACTIVE';
  return (
    <ConsolePage title={provider?.name ?? 'Provider'} parent={PARENT} actions={mayDisable && provider ? <Disable {...provider} /> : null}>
      <Problem error={error ?? undefined} />
      {provider === undefined && !error ? <Skeleton lines={6} /> : null}
      {provider === undefined ? null : (
        <>
          <Facts facts={listFacts(provider)} />
          <Panel title="Evidence">
            <ListTable
              label="Evidence"
              list={evidence}
              columns={COLUMNS}
              pathOf={({ agent_id }) => buildConsolePath('agent', { agentId: agent_id })}
              empty="No evidence of this provider yet."
            />
          </Panel>
        </>
      )}
    </ConsolePage>
  );
};
