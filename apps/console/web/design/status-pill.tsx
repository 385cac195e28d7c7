import { Check, CircleHelp, Clock, EyeOff, Gauge, Minus, X } from 'lucide-react';
import type { ReactNode } from 'react';

const TONES = {
  allowed: Check,
  held: Clock,
  blocked: X,
  limited: Gauge,
  masked: EyeOff,
  unknown: CircleHelp,
  neutral: Minus,
} as const;

export type Tone = keyof typeof TONES;

/** A status as icon and word; colour alone never carries it. */
export const StatusPill = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }): ReactNode => {
  const Icon = TONES[tone];
  return (
    <span className="pill" data-tone={tone}>
      <Icon size={12} strokeWidth={2.5} aria-hidden />
      {children}
    </span>
  );
};
