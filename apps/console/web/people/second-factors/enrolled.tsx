import type { OperationResult } from '@svc/client/client-types.ts';
import type { ReactNode } from 'react';
import { client } from '../../data/client.ts';
import { refresh } from '../../data/use-operation.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { Text } from '../../design/kit.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { Time } from '../../design/time.tsx';
import { useAnnouncement } from '../../design/use-announcement.tsx';
import { Warning } from '../../design/warning.tsx';

type Factors = OperationResult<'getMfa'>;
type Factor = Factors['factors'][number];

/** The consequence of removing a factor. */
const removalWords = (others: number): string =>
  others === 0
    ? 'You will sign in and confirm your identity with your password only, and your recovery codes stop working.'
    : 'You no longer sign in with it. Your other factors stay.';

type RowProps = {
  readonly factor: Factor;
  readonly others: number;
  readonly done: (text: string) => void;
  readonly onCodes: (codes: readonly string[]) => void;
};

const RowActions = ({ factor: { id, name, counts_in }, others, done, onCodes }: RowProps): ReactNode => (
  <>
    {counts_in === null ? null : (
      <ActionButton
        does="Confirm"
        to={name}
        means="It is then valid in all your organizations."
        send={() => client.request('confirmFactor', { params: { factorId: id }, body: {} })}
        then={({ recovery_codes = [] }) => {
          done('The second factor is valid in all your organizations.');
          if (recovery_codes.length > 0) onCodes(recovery_codes);
        }}
      />
    )}
    <ActionButton
      does="Remove"
      to={name}
      means={removalWords(others)}
      send={() => client.request('removeFactor', { params: { factorId: id } })}
      then={() => done('The second factor is removed.')}
    />
  </>
);

const listColumns = (props: Omit<RowProps, 'factor'>): readonly Column<Factor>[] => [
  { name: 'Name', show: ({ name }) => <bdi>{name}</bdi> },
  { name: 'Kind', show: ({ kind }) => (kind === 'TOTP' ? 'Authenticator app' : 'Passkey') },
  { name: 'Valid in', show: ({ counts_in }) => (counts_in === null ? 'All organizations' : 'One organization') },
  { name: 'Added', show: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Last used', show: ({ last_used_at }) => (last_used_at === null ? 'Never' : <Time at={last_used_at} />) },
  { name: 'Actions', isActions: true, show: (factor) => <RowActions factor={factor} {...props} /> },
];

type EnrolledProps = { readonly factors: Factors; readonly onCodes: (codes: readonly string[]) => void };

/** The enrolled factors and the recovery codes. */
export const EnrolledFactors = ({ factors: { factors, required, recovery_codes_left: left }, onCodes }: EnrolledProps): ReactNode => {
  const { announce, announcement } = useAnnouncement();
  const done = (text: string): void => {
    announce(text);
    void refresh('getMfa');
  };
  return (
    <>
      {required ? (
        <Warning title="Your organization requires a second factor">You cannot use the console until you add one.</Warning>
      ) : null}
      {announcement}
      <Table
        label="Second factors"
        columns={listColumns({ others: factors.length - 1, done, onCodes })}
        rows={factors}
        keyOf={({ id }) => id}
        empty="No second factor yet. Add an authenticator app or a passkey."
      />
      {factors.length === 0 || required ? null : (
        <>
          <Text>
            {left} recovery {left === 1 ? 'code' : 'codes'} left.
          </Text>
          <ActionButton
            does="Create new recovery codes"
            means="You get ten new codes. Your current codes stop working."
            send={() => client.request('regenerateRecoveryCodes', { body: {} })}
            then={({ recovery_codes }) => onCodes(recovery_codes)}
          />
        </>
      )}
    </>
  );
};
