import type { ReactNode } from 'react';
import { CloseGlyph } from './glyphs.tsx';

export type Chip = { readonly name: string; readonly label: string; readonly text: string };

type FilterChipsProps = { readonly chips: readonly Chip[]; readonly onRemove: (name: string) => void };

/** The filters of a list that are set, each with a button that removes it. */
export const FilterChips = ({ chips, onRemove }: FilterChipsProps): ReactNode =>
  chips.length === 0 ? null : (
    <ul className="chips" aria-label="Filters">
      {chips.map(({ name, label, text }) => (
        <li key={name}>
          <span>
            {label}: <bdi>{text}</bdi>
          </span>
          <button type="button" className="icon-button" aria-label={`Remove filter ${label}`} onClick={() => onRemove(name)}>
            <CloseGlyph size={14} />
          </button>
        </li>
      ))}
    </ul>
  );
