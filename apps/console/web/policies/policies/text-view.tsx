import { Textarea } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Range } from './builder/edit-text.ts';

const ROWS = 28;

type TextViewProps = {
  readonly label: string;
  readonly text: string;
  readonly setText: (text: string) => void;
  /** A part of the text to select when it is shown. */
  readonly selected: Range | undefined;
};

/** Scrolls the selection to a third of the height, since browsers do not scroll to it on their own. */
const scrollToLine = (field: HTMLTextAreaElement, before: string): void => {
  const lines = before.split('\n').length;
  field.scrollTop = Math.max(0, (lines / Math.max(1, field.value.split('\n').length)) * field.scrollHeight - field.clientHeight / 3);
};

/** The draft as JSON. */
export const TextView = ({ label, text, setText, selected }: TextViewProps): ReactNode => {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const shown = field.current;
    if (selected === undefined || shown === null) return;
    shown.focus();
    shown.setSelectionRange(selected.start, selected.end);
    scrollToLine(shown, shown.value.slice(0, selected.start));
  }, [selected]);
  return (
    <Textarea
      ref={field}
      label={label}
      description="JSON. Amounts are in minor units."
      classNames={{ input: 'code-input' }}
      rows={ROWS}
      spellCheck={false}
      autoCapitalize="off"
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
    />
  );
};
