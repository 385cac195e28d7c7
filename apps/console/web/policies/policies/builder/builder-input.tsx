import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

type BuilderInputProps = {
  readonly label: string;
  readonly value: string;
  /** Writes what was entered to the draft; a sentence where it cannot be written. */
  readonly save: (text: string) => string | undefined;
  readonly list?: string | undefined;
  readonly suffix?: string | undefined;
  readonly maxLength?: number;
};

/** A field of the builder. Text that cannot be written to the draft stays in the field, with the reason. */
export const BuilderInput = ({ label, value, save, list, suffix, maxLength = 4000 }: BuilderInputProps): ReactNode => {
  const [entered, setEntered] = useState<string>();
  const [fault, setFault] = useState<string>();
  return (
    <TextInput
      size="sm"
      label={label}
      value={entered ?? value}
      error={fault}
      maxLength={maxLength}
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      {...(list === undefined ? {} : { list })}
      {...(suffix === undefined ? {} : { rightSection: <span className="quiet-text">{suffix}</span>, rightSectionWidth: '3.5rem' })}
      onChange={({ currentTarget }) => {
        setEntered(currentTarget.value);
        setFault(save(currentTarget.value));
      }}
      onBlur={() => {
        if (fault === undefined) setEntered(undefined);
      }}
    />
  );
};
