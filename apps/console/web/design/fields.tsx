import { type ComponentProps, type ReactNode, useId } from 'react';
import type { ApiError } from '../data/answer.ts';
import { findFault } from '../data/faults.ts';

export type FieldProps = { readonly error: ApiError | undefined };

export type TextFieldProps = FieldProps & {
  readonly name: string;
  readonly label: string;
  readonly autoComplete?: string;
  readonly description?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly defaultValue?: string;
  readonly maxLength?: number;
};

type InputProps = Omit<TextFieldProps, 'error'> & { readonly fault: string | undefined } & Pick<
    ComponentProps<'input'>,
    'type' | 'autoCapitalize' | 'spellCheck'
  >;

/** A labelled input. It needs no library, so that the approval card opens without one. */
const Input = ({ label, description, fault, ...input }: InputProps): ReactNode => {
  const id = useId();
  const described = [description === undefined ? '' : `${id}-description`, fault === undefined ? '' : `${id}-error`].join(' ').trim();
  return (
    <div className="field">
      <label htmlFor={id}>
        {label}
        {input.required === true ? (
          <span className="required" aria-hidden>
            {' *'}
          </span>
        ) : null}
      </label>
      {description === undefined ? null : (
        <p id={`${id}-description`} className="field-description">
          {description}
        </p>
      )}
      <input id={id} aria-describedby={described || undefined} aria-invalid={fault !== undefined} {...input} />
      {fault === undefined ? null : (
        <p id={`${id}-error`} className="field-error">
          {fault}
        </p>
      )}
    </div>
  );
};

export const EmailField = ({ error }: FieldProps): ReactNode => (
  <Input
    name="email"
    type="email"
    label="E-mail address"
    autoComplete="username"
    maxLength={254}
    required
    fault={findFault(error, 'email')}
  />
);

export const TextField = ({ error, name, ...more }: TextFieldProps): ReactNode => (
  <Input name={name} maxLength={120} required fault={findFault(error, name)} {...more} />
);

/** Digits, or the letters of a code: nothing is corrected while it is typed. */
export const CodeField = ({ error, name, ...more }: TextFieldProps): ReactNode => (
  <Input
    name={name}
    autoComplete="one-time-code"
    autoCapitalize="characters"
    spellCheck={false}
    maxLength={120}
    required
    fault={findFault(error, name)}
    {...more}
  />
);
