import { PasswordInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { type ApiError, faultOf } from '../api/call.ts';

type FieldProps = { readonly error: ApiError | undefined; readonly autoFocus?: boolean };

export const EmailField = ({ error, autoFocus = false }: FieldProps): ReactNode => (
  <TextInput
    name="email"
    type="email"
    label="E-mail address"
    autoComplete="username"
    maxLength={254}
    required
    data-autofocus={autoFocus || undefined}
    error={faultOf(error, 'email')}
  />
);

export const PasswordField = ({ error, isNew = false }: FieldProps & { readonly isNew?: boolean }): ReactNode => (
  <PasswordInput
    name="password"
    label={isNew ? 'New password' : 'Password'}
    description={isNew ? 'At least 15 characters. A sentence is easier to remember than a riddle.' : undefined}
    autoComplete={isNew ? 'new-password' : 'current-password'}
    maxLength={256}
    required
    error={faultOf(error, 'password')}
  />
);

type CodeFieldProps = FieldProps & { readonly name?: string; readonly label: string; readonly description?: string };

/** Six digits, or the letters of a recovery code: nothing is corrected while it is typed. */
export const CodeField = ({ error, name = 'code', label, description }: CodeFieldProps): ReactNode => (
  <TextInput
    name={name}
    label={label}
    description={description}
    autoComplete="one-time-code"
    autoCapitalize="characters"
    spellCheck={false}
    maxLength={64}
    required
    error={faultOf(error, name)}
  />
);
