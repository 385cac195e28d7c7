import { Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { call } from '../../data/call.ts';
import type { Factor, Factors } from '../../data/factors.ts';
import { ActionButton } from '../../design/action-button.tsx';
import { Time } from '../../design/time.tsx';
import type { Enrolled } from './totp.tsx';

/** What is left to sign in with, once one is gone. */
const meaningOf = (others: number): string =>
  others === 0
    ? 'From then on your password alone signs you in, the recovery codes are good for nothing, and fresh proofs are given with the password.'
    : 'You no longer sign in with it. The others stay.';

type OneProps = {
  readonly factor: Factor;
  readonly others: number;
  readonly onRemoved: () => void;
  readonly onConfirmed: (confirmed: Enrolled) => void;
};

const One = ({ factor: { id, name, kind, created_at, last_used_at, counts_in }, others, onRemoved, onConfirmed }: OneProps): ReactNode => (
  <li>
    <Text>
      <bdi>{name}</bdi> ({kind === 'TOTP' ? 'app' : 'passkey'}), since <Time at={created_at} />
      {last_used_at === null ? '' : ', last used '}
      {last_used_at === null ? null : <Time at={last_used_at} />}
      {counts_in === null ? '' : ', counts in one organization only'}
    </Text>
    {counts_in === null ? null : (
      <ActionButton
        does="Confirm"
        to={name}
        means="It counts in all your organizations from then on."
        send={() => call<Enrolled>('POST', `/v1/auth/mfa/factors/${id}/confirm`, {})}
        then={onConfirmed}
      />
    )}
    <ActionButton
      does="Remove"
      to={name}
      means={meaningOf(others)}
      send={() => call('DELETE', `/v1/auth/mfa/factors/${id}`)}
      then={onRemoved}
    />
  </li>
);

type KnownProps = {
  readonly factors: Factors;
  readonly onChange: () => void;
  readonly onCodes: (codes: readonly string[]) => void;
};

/** The factors there are, and what can be done to them. */
export const Known = ({ factors: { factors, required, recovery_codes_left: left }, onChange, onCodes }: KnownProps): ReactNode => {
  const [said, setSaid] = useState('');
  const onRemoved = (): void => {
    setSaid('The second factor is removed.');
    onChange();
  };
  const onConfirmed = ({ recovery_codes = [] }: Enrolled): void => {
    setSaid('The second factor counts in all your organizations.');
    onChange();
    if (recovery_codes.length > 0) onCodes(recovery_codes);
  };
  return (
    <>
      {required ? <Text>Your organization asks everybody for a second factor. Nothing else is open until you have one.</Text> : null}
      <p role="status" className="said">
        {said}
      </p>
      {factors.length === 0 ? <Text>You have none yet.</Text> : null}
      <Stack component="ul" className="listing">
        {factors.map((factor) => (
          <One key={factor.id} factor={factor} others={factors.length - 1} onRemoved={onRemoved} onConfirmed={onConfirmed} />
        ))}
      </Stack>
      {factors.length === 0 || required ? null : (
        <>
          <Text>
            {left} recovery {left === 1 ? 'code is' : 'codes are'} left.
          </Text>
          <ActionButton
            does="Make new recovery codes"
            means="You get ten new codes. Those you have are good for nothing from then on."
            send={() => call<{ readonly recovery_codes: readonly string[] }>('POST', '/v1/auth/mfa/recovery-codes', {})}
            then={({ recovery_codes }) => onCodes(recovery_codes)}
          />
        </>
      )}
    </>
  );
};
