import type { ReactNode } from 'react';
import { useId } from 'react';

type SearchFieldProps = { readonly label: string; readonly value: string; readonly onChange: (value: string) => void };

/** A field that narrows what is shown below it while the person types. */
export const SearchField = ({ label, value, onChange }: SearchFieldProps): ReactNode => {
  const id = useId();
  return (
    <div className="field search-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={120}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </div>
  );
};
