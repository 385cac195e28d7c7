import type { OperationResult } from '@svc/client/client-types.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { may } from '../../data/permissions.ts';
import type { Session } from '../../data/session.ts';
import { useOperation } from '../../data/use-operation.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { DialogButton } from '../../design/dialog-button.tsx';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Panel } from '../../design/panel.tsx';
import { Problem } from '../../design/problem.tsx';
import { StatusPill } from '../../design/status-pill.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';

type InForce = OperationResult<'getExchangeRates'>;
type Rate = InForce['rates'][number];
type Props = { readonly session: Session; readonly done: (text: string) => void };

const providerText = ({ configured, failure }: InForce['provider']): string => {
  if (!configured) return 'No provider of automatic rates is configured. Amounts in a currency without a rate are blocked.';
  return failure === null ? 'Automatic rates are up to date.' : `The last automatic update failed: ${failure}`;
};

const SetRate = ({ base, done }: { readonly base: string; readonly done: Props['done'] }): ReactNode => (
  <DialogButton label="Set rate">
    {(close) => (
      <Form
        submit="Set rate"
        send={({ base_currency = '', quote_currency = '', rate = '' }) =>
          client.request('createExchangeRate', { body: { base_currency, quote_currency, rate } })
        }
        then={({ base_currency, quote_currency, rate }) => {
          close();
          done(`1 ${base_currency} is ${rate} ${quote_currency}.`);
        }}
        fields={(error) => (
          <>
            <TextField error={error} name="base_currency" label="One unit of" maxLength={3} placeholder="EUR" />
            <TextField error={error} name="quote_currency" label="In" maxLength={3} defaultValue={base} />
            <TextField error={error} name="rate" label="Rate" description="For example 1.0825." maxLength={40} />
          </>
        )}
      />
    )}
  </DialogButton>
);

/** The exchange rates by which amounts are compared with limits in the base currency. */
export const Rates = ({ session, done }: Props): ReactNode => {
  const { data, error } = useOperation('getExchangeRates', {});
  const mayUpdate = may(session, 'organization:update');
  const columns: readonly Column<Rate>[] = [
    { name: 'Pair', show: ({ base_currency, quote_currency }) => `${base_currency} in ${quote_currency}` },
    { name: 'Rate', show: ({ rate }) => rate, isNumber: true },
    {
      name: 'Source',
      show: ({ source }) => <StatusPill tone="neutral">{source === 'MANUAL' ? 'Set by a person' : 'Automatic'}</StatusPill>,
    },
    { name: 'In force from', show: ({ effective_at }) => <Time at={effective_at} /> },
    {
      name: 'Actions',
      isActions: true,
      show: ({ id, source, base_currency, quote_currency }) =>
        source === 'MANUAL' && mayUpdate ? (
          <ActionButton
            does="Remove"
            to={`${base_currency} in ${quote_currency}`}
            means="Amounts in this currency are blocked if no other rate applies."
            send={() => client.request('deleteExchangeRate', { params: { rateId: id } })}
            then={() => done('The rate was removed.')}
          />
        ) : null,
    },
  ];
  const actions =
    data !== undefined && mayUpdate ? (
      <div className="row-actions">
        {data.provider.configured ? (
          <ActionButton does="Update now" send={() => client.request('refreshExchangeRates', {})} then={() => done('Updated.')} />
        ) : null}
        <SetRate base={data.base_currency} done={done} />
      </div>
    ) : null;
  return (
    <Panel title="Exchange rates" actions={actions}>
      <Problem error={error ?? undefined} />
      {data === undefined ? null : <p className="quiet-text">{providerText(data.provider)}</p>}
      {error ? null : (
        <Table
          label="Exchange rates"
          columns={columns}
          rows={data === undefined ? undefined : [...data.rates, ...data.upcoming]}
          keyOf={({ id }) => id}
          empty="No rates yet. Amounts in other currencies than the base currency are blocked."
        />
      )}
    </Panel>
  );
};
