import { PasswordInput } from '@mantine/core';
import { PASSWORD_LENGTH_RULE } from '@svc/contract/tables/password-rule.ts';
import type { ReactNode } from 'react';
import { findFault } from '../data/faults.ts';
import type { FieldProps, TextFieldProps } from './fields.tsx';
import './secret-fields.css';

type NamedField = { readonly name: string; readonly label: string };

export const PasswordField = ({ error, name = 'password', label = 'Password' }: FieldProps & Partial<NamedField>): ReactNode => (
  <PasswordInput name={name} label={label} autoComplete="current-password" maxLength={256} required error={findFault(error, name)} />
);

export const NewPasswordField = ({ error, name = 'password' }: FieldProps & { readonly name?: string }): ReactNode => (
  <PasswordInput
    name={name}
    label="New password"
    description={`${PASSWORD_LENGTH_RULE}`}
    autoComplete="new-password"
    maxLength={256}
    required
    error={findFault(error, name)}
  />
);

/**
 * Input for a key or a token of another service. Disables autofill. Sets no maximum length, which would truncate a pasted value; the
 * control plane checks the length.
 */
export const SecretField = ({ error, name, ...rest }: Omit<TextFieldProps, 'maxLength' | 'defaultValue' | 'autoComplete'>): ReactNode => (
  <PasswordInput name={name} autoComplete="new-password" spellCheck={false} required error={findFault(error, name)} {...rest} />
);
