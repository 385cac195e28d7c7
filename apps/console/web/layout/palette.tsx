import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { Session } from '../data/session.ts';
import { lazyPart } from '../design/lazy-part.tsx';
import type { PaletteEntry } from './palette-entries.ts';

const Results = lazyPart(async () => (await import('./palette-results.tsx')).PaletteResults);

type PaletteProps = { readonly session: Session; readonly onChoose: (entry: PaletteEntry) => void };

/** A field that finds pages, actions and objects by name, and opens a pasted id. The field is there before its results are loaded. */
export const Palette = ({ session, onChoose }: PaletteProps): ReactNode => {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const [entries, setEntries] = useState<readonly PaletteEntry[]>([]);
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  // After the dialog is shown, which moves the focus to its first control.
  useEffect(() => field.current?.focus(), []);
  const at = Math.min(chosen, Math.max(0, entries.length - 1));
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setChosen((at + step + entries.length) % Math.max(1, entries.length));
    }
    const entry = entries[at];
    if (event.key === 'Enter' && entry !== undefined && entry.missing === undefined) onChoose(entry);
  };
  return (
    <>
      <input
        ref={field}
        className="palette-field"
        role="combobox"
        aria-label="Page, action, name or id"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={entries.length === 0 ? undefined : `${list}-${at}`}
        placeholder="Page, action, name or id"
        autoComplete="off"
        spellCheck={false}
        maxLength={120}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="palette-list" id={list} role="listbox" aria-label="Results" tabIndex={-1}>
        <Results session={session} text={text} list={list} chosen={at} onEntries={setEntries} onChoose={onChoose} />
      </div>
    </>
  );
};
