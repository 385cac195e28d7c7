import { PasswordInput, TextInput } from '@mantine/core';
import { PASSWORD_LENGTH_RULE } from '@svc/contract/tables/password-rule.ts';
import type { ReactNode } from 'react';
import type { ApiError } from '../data/answer.ts';
import { findFault } from '../data/faults.ts';

type FieldProps = { readonly error: ApiError | undefined };
type Named = { readonly name: string; readonly label: string };

export const EmailField = ({ error }: FieldProps): ReactNode => (
  <TextInput
    name="email"
    type="email"
    label="E-mail address"
    autoComplete="username"
    maxLength={254}
    required
    error={findFault(error, 'email')}
  />
);

export const PasswordField = ({ error, name = 'password', label = 'Password' }: FieldProps & Partial<Named>): ReactNode => (
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

type TextFieldProps = FieldProps &
  Named & {
    readonly autoComplete?: string;
    readonly description?: string;
    readonly placeholder?: string;
    readonly required?: boolean;
    readonly defaultValue?: string;
    readonly maxLength?: number;
  };

export const TextField = ({ error, name, ...more }: TextFieldProps): ReactNode => (
  <TextInput name={name} maxLength={120} required error={findFault(error, name)} {...more} />
);

/**
 * A key or a token of another service. The browser must not autofill it, and its length is checked by the plane: a maximum length would cut
 * off the end of what is pasted.
 */
export const SecretField = ({ error, name, ...more }: Omit<TextFieldProps, 'maxLength' | 'defaultValue' | 'autoComplete'>): ReactNode => (
  <PasswordInput name={name} autoComplete="new-password" spellCheck={false} required error={findFault(error, name)} {...more} />
);

/** Digits, or the letters of a code: nothing is corrected while it is typed. */
export const CodeField = ({ error, name, ...more }: TextFieldProps): ReactNode => (
  <TextInput
    name={name}
    autoComplete="one-time-code"
    autoCapitalize="characters"
    spellCheck={false}
    maxLength={120}
    required
    error={findFault(error, name)}
    {...more}
  />
);
