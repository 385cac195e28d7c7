import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { Session } from '../data/session.ts';
import { Dialog } from '../design/dialog.tsx';
import { type Entry, usePaletteEntries } from './palette-entries.ts';

type PaletteProps = { readonly session: Session; readonly onOpen: (path: string) => void; readonly onClose: () => void };

type OptionProps = { readonly entry: Entry; readonly id: string; readonly isChosen: boolean; readonly onChoose: () => void };

const Option = ({ entry: { text, kind, keys }, id, isChosen, onChoose }: OptionProps): ReactNode => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard works on the field, which keeps the focus (ARIA combobox)
  <div id={id} role="option" tabIndex={-1} aria-selected={isChosen} onClick={onChoose}>
    <bdi>{text}</bdi>
    <span>
      {keys?.split(' ').map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
      <span className="quiet-text">{kind}</span>
    </span>
  </div>
);

/** A field that finds pages, and agents, tools and policies by name, and opens a pasted id. */
export const Palette = ({ session, onOpen, onClose }: PaletteProps): ReactNode => {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const list = useId();
  const field = useRef<HTMLInputElement>(null);
  // After the dialog is shown, which moves the focus to its first control.
  useEffect(() => field.current?.focus(), []);
  const entries = usePaletteEntries(session, text);
  const at = Math.min(chosen, Math.max(0, entries.length - 1));
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setChosen((at + step + entries.length) % Math.max(1, entries.length));
    }
    const entry = entries[at];
    if (event.key === 'Enter' && entry !== undefined) onOpen(entry.path);
  };
  return (
    <Dialog title="Search or jump" onClose={onClose}>
      <input
        ref={field}
        className="palette-field"
        role="combobox"
        aria-label="Page, name or id"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={entries.length === 0 ? undefined : `${list}-${at}`}
        placeholder="Page, name or id"
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
        {entries.map((entry, index) => (
          <Option
            key={`${entry.kind} ${entry.key}`}
            entry={entry}
            id={`${list}-${index}`}
            isChosen={index === at}
            onChoose={() => onOpen(entry.path)}
          />
        ))}
      </div>
      <p role="status" className="quiet-text">
        {entries.length === 0 ? 'Nothing found.' : ''}
      </p>
    </Dialog>
  );
};
