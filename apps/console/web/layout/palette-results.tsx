import { type ReactNode, useEffect, useRef } from 'react';
import type { Session } from '../data/session.ts';
import { type PaletteEntry, usePaletteEntries } from './palette-entries.ts';

type ResultsProps = {
  readonly session: Session;
  readonly text: string;
  /** Id of the list; the ids of options derive from it. */
  readonly list: string;
  readonly chosen: number;
  readonly onEntries: (entries: readonly PaletteEntry[]) => void;
  readonly onChoose: (entry: PaletteEntry) => void;
};

type OptionProps = { readonly entry: PaletteEntry; readonly id: string; readonly isChosen: boolean; readonly onChoose: () => void };

const Option = ({ entry: { text, kind, keys, missing }, id, isChosen, onChoose }: OptionProps): ReactNode => {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isChosen) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard works on the field, which keeps the focus (ARIA combobox)
    <div
      ref={row}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      aria-disabled={missing !== undefined}
      onClick={missing === undefined ? onChoose : undefined}
    >
      <bdi>{text}</bdi>
      <span>
        {keys?.split(' ').map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
        <span className="quiet-text">{missing === undefined ? kind : `needs ${missing}`}</span>
      </span>
    </div>
  );
};

/** The entries of the palette for a text. */
export const PaletteResults = ({ session, text, list, chosen, onEntries, onChoose }: ResultsProps): ReactNode => {
  const entries = usePaletteEntries(session, text);
  const keys = entries.map(({ kind, key }) => `${kind} ${key}`).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal entries are the same
  useEffect(() => onEntries(entries), [keys]);
  return (
    <>
      {entries.map((entry, index) => (
        <Option
          key={`${entry.kind} ${entry.key}`}
          entry={entry}
          id={`${list}-${index}`}
          isChosen={index === chosen}
          onChoose={() => onChoose(entry)}
        />
      ))}
      {entries.length === 0 ? <div className="quiet-text">Nothing found.</div> : null}
    </>
  );
};
