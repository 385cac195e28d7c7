import type { ReactNode } from 'react';
import { CheckGlyph, ClockGlyph, CloseGlyph, GaugeGlyph, HelpGlyph, HiddenGlyph, MinusGlyph } from './glyphs.tsx';

const TONES = {
  allowed: CheckGlyph,
  held: ClockGlyph,
  blocked: CloseGlyph,
  limited: GaugeGlyph,
  masked: HiddenGlyph,
  unknown: HelpGlyph,
  neutral: MinusGlyph,
} as const;

export type Tone = keyof typeof TONES;

/** A status as icon and word; colour alone never carries it. */
export const StatusPill = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }): ReactNode => {
  const Icon = TONES[tone];
  return (
    <span className="pill" data-tone={tone}>
      <Icon size={12} strokeWidth={2.5} />
      {children}
    </span>
  );
};
